"""Import the skills taxonomy of a domain from a table."""

from typing import Any

from django.core.management.base import CommandParser

from curation.base.records.command import RULES, ImportCommand
from curation.tasks.skills.import_table import Taxonomy


class Command(ImportCommand):
    help = f"Labels of a domain's skills library, from CSV or Excel. {RULES}"

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--domain", required=True, help="key of the domain")

    def kind(self, options: dict[str, Any]) -> Taxonomy:
        return Taxonomy(options["domain"])
