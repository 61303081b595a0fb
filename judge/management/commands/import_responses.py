"""Import candidates' responses from JSON lines."""

from typing import Any

from django.core.management.base import CommandParser

from curation.base.records.command import RULES, ImportCommand
from judge.gold.transfer.responses import Responses


class Command(ImportCommand):
    help = f"Candidates' responses to the tasks here, one JSON object a line. {RULES}"

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--replace-unstorable",
            action="store_true",
            help="put U+FFFD in a text for each NUL and each half of a character pair, and say "
            "how many on which lines",
        )

    def kind(self, options: dict[str, Any]) -> Responses:
        return Responses(replace_unstorable=options["replace_unstorable"])
