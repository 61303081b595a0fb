"""Import the work map of a domain from a table."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from curation.tasks.work_map.import_table import import_work_map


class Command(BaseCommand):
    help = (
        "Work types of one or more domains, from CSV or Excel. All rows or none: every fault is "
        "named as FILE:LINE: column: sentence. The same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--dry-run", action="store_true", help="check and count everything, store nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = import_work_map(options["file"], dry_run=options["dry_run"])
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from None
        self.stdout.write(
            f"work types: {done.added} added, {done.changed} changed, {done.unchanged} unchanged; "
            f"facts of {done.facts} domains changed"
        )
        if options["dry_run"]:
            self.stdout.write("Nothing was stored: this was a dry run.")
