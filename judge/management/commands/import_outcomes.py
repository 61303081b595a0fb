"""Import what was really chosen for selection tasks."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from judge.gold.transfer.reply import dry_run_text, refusal_text
from judge.methods.profiles.outcome_files import import_outcomes


class Command(BaseCommand):
    help = (
        "Real outcomes, one JSON object a line: task, rater, kind (outcome), pool, number, what "
        "and chosen (keys of profiles). All of them or none. The same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="check, store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = import_outcomes(options["file"], dry_run=options["dry_run"])
        except WorkbenchError as refusal:
            raise CommandError(refusal_text(refusal)) from None
        self.stdout.write(f"outcomes: {done.added} added, {done.unchanged} unchanged")
        if options["dry_run"]:
            self.stdout.write(dry_run_text())
