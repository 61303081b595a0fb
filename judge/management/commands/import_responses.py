"""Import candidates' responses from JSON lines."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from judge.gold.transfer.reply import refusal_text, replaced_text, summary
from judge.gold.transfer.responses import import_responses


class Command(BaseCommand):
    help = (
        "Candidates' responses to the tasks here, one JSON object a line. "
        "All of them or none: every fault of the file is named as FILE:LINE: field: sentence. "
        "The same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--replace-unstorable",
            action="store_true",
            help="put U+FFFD in a text for each NUL and each half of a character pair, and say "
            "how many on which lines",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = import_responses(
                options["file"], replace_unstorable=options["replace_unstorable"]
            )
        except WorkbenchError as refusal:
            raise CommandError(refusal_text(refusal)) from None
        self.stdout.write(summary("responses", done.added, done.unchanged))
        if done.replaced:
            self.stdout.write(replaced_text(done.replaced))
