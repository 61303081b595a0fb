"""Have the labels stand that came with imported tasks."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from curation.tasks.skills.labelling import label_from_files


class Command(BaseCommand):
    help = (
        "Labels that came with imported tasks stand on them where the skills library has labels of "
        "the same keys. Nothing is taken off. A second time changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--domain", required=True, help="key of the domain")
        parser.add_argument(
            "--dry-run", action="store_true", help="check and count everything, store nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = label_from_files(options["domain"], dry_run=options["dry_run"])
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from None
        self.stdout.write(f"labels: {done.given} given, on {done.tasks} tasks")
        for key, count in done.unknown.items():
            self.stdout.write(f"not in the library: {key}, on {count} tasks")
        if options["dry_run"]:
            self.stdout.write("Nothing was stored: this was a dry run.")
