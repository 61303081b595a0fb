"""Import experts' sheets, or the outcome of another judge, from JSON lines."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from judge.gold.transfer.reply import refusal_text, summary
from judge.gold.transfer.scores import import_scores


class Command(BaseCommand):
    help = (
        "Sheets filled elsewhere, one JSON object a line: 1, 0 or null for each criterion, or one "
        "score. "
        "All of them or none: every fault of the file is named as FILE:LINE: field: sentence. "
        "The same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--held-out-reason",
            metavar="WHY",
            default="",
            help="why the scores of a judge on held-out tasks are imported: it is a look at them, "
            "which is counted",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = import_scores(options["file"], held_out_reason=options["held_out_reason"])
        except WorkbenchError as refusal:
            raise CommandError(refusal_text(refusal)) from None
        self.stdout.write(summary("sheets", done.added, done.unchanged))
