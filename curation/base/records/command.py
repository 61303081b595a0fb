"""The commands that import a file: what they take, and what they say in the end."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.records.faults import MANY, FileRefused, by_kind
from curation.base.records.kind import RecordKind
from curation.base.web.refusals import WorkbenchError

RULES = (
    "All of them or none: every fault of the file is named as FILE:LINE: field: sentence. "
    "The same file again changes nothing."
)
KIND_OF_FAULT = gettext_lazy("%(count)s × %(field)s: %(sentence)s (lines %(lines)s)")


class ImportCommand(BaseCommand):
    """A command that imports the records of one kind."""

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_options(parser)
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--dry-run", action="store_true", help="check and count everything, store nothing"
        )

    def add_options(self, parser: CommandParser) -> None:
        """Add what this kind needs; what has no name of an option stands before the file."""

    def kind(self, options: dict[str, Any]) -> RecordKind:
        """Return the import that the options ask for."""
        raise NotImplementedError

    def stored(self, kind: RecordKind) -> None:
        """Do what follows once the records are stored."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            kind = self.kind(options)
            done = kind.run(options["file"], dry_run=options["dry_run"])
        except WorkbenchError as refusal:
            raise CommandError(refusal_text(refusal)) from None
        self.stored(kind)
        self.stdout.write(kind.summary(done))
        if options["dry_run"]:
            self.stdout.write(_("Nothing was stored: this was a dry run."))


def refusal_text(refusal: WorkbenchError) -> str:
    """Return the text of a refusal: each fault on its own line, then their number.

    Many faults are told once more by their kinds.
    """
    if not isinstance(refusal, FileRefused):
        return refusal.text
    count = len(refusal.problems)
    end = ngettext(
        "%(n)s fault; nothing was stored.", "%(n)s faults; nothing was stored.", count
    ) % {"n": f"{count:,}"}
    kinds = by_kind((p.line, p.field, p.sentence) for p in refusal.problems)
    told = [KIND_OF_FAULT % kind for kind in kinds] if count > MANY else []
    return "\n".join([str(refusal.detail), *told, end])
