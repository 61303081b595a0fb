"""Import experts' sheets, or the outcome of another judge, from JSON lines."""

from typing import Any

from django.core.management.base import CommandParser

from curation.base.records.command import RULES, ImportCommand
from judge.gold.transfer.scores import Scores


class Command(ImportCommand):
    help = (
        "Sheets filled elsewhere, one JSON object a line: 1, 0 or null for each criterion, or one "
        f"score. {RULES}"
    )

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--held-out-reason",
            metavar="WHY",
            default="",
            help="why the scores of a judge on held-out tasks are imported: it is a look at them, "
            "which is counted",
        )

    def kind(self, options: dict[str, Any]) -> Scores:
        return Scores(held_out_reason=options["held_out_reason"])
