"""The commands that import a file: what they take, and what they say in the end."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.records.faults import FileRefused
from curation.base.records.kind import RecordKind
from curation.base.web.refusals import WorkbenchError

RULES = (
    "All of them or none: every fault of the file is named as FILE:LINE: field: sentence. "
    "The same file again changes nothing."
)


class ImportCommand(BaseCommand):
    """A command that imports the records of one kind."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        self.add_options(parser)
        parser.add_argument(
            "--dry-run", action="store_true", help="check and count everything, store nothing"
        )

    def add_options(self, parser: CommandParser) -> None:
        """Add what this kind needs beside the file."""

    def kind(self, options: dict[str, Any]) -> RecordKind:
        """Return the import that the options ask for."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            kind = self.kind(options)
            done = kind.run(options["file"], dry_run=options["dry_run"])
        except WorkbenchError as refusal:
            raise CommandError(refusal_text(refusal)) from None
        self.stdout.write(kind.summary(done))
        if options["dry_run"]:
            self.stdout.write(_("Nothing was stored: this was a dry run."))


def refusal_text(refusal: WorkbenchError) -> str:
    """Return the text of a refusal: each fault on its own line, then their number."""
    if not isinstance(refusal, FileRefused):
        return refusal.text
    count = len(refusal.problems)
    end = ngettext(
        "%(n)s fault; nothing was stored.", "%(n)s faults; nothing was stored.", count
    ) % {"n": f"{count:,}"}
    return f"{refusal.detail}\n{end}"
