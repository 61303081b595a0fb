"""Import what was really chosen for selection tasks."""

from typing import Any

from curation.base.records.command import RULES, ImportCommand
from judge.methods.profiles.outcome_files import Outcomes


class Command(ImportCommand):
    help = (
        "Real outcomes, one JSON object a line: task, rater, kind (outcome), pool, number, what "
        f"and chosen (keys of profiles). {RULES}"
    )

    def kind(self, options: dict[str, Any]) -> Outcomes:
        return Outcomes()
