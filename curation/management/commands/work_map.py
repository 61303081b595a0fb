"""Import the work map of a domain from a table."""

from typing import Any

from curation.base.records.command import RULES, ImportCommand
from curation.tasks.work_map.table import WorkTypes


class Command(ImportCommand):
    help = f"Work types of one or more domains, from CSV or Excel. {RULES}"

    def kind(self, options: dict[str, Any]) -> WorkTypes:
        return WorkTypes()
