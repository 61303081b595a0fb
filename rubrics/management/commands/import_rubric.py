"""Import a file into the open rubric of one task."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.web.refusals import WorkbenchError
from rubrics.files import format
from rubrics.files.import_rubric import import_lines, plan_import
from rubrics.management.commands.export_rubric import task_named


class Command(BaseCommand):
    """`manage.py import_rubric KEY FILE [--whole] [--dry-run]`, all of the file or nothing."""

    help = "Takes a file of lines (CSV or JSON lines) into the open rubric of a task, in one step."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="key of the task, or its number")
        parser.add_argument("file")
        parser.add_argument(
            "--whole", action="store_true", help="remove lines that are not in the file"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would change")

    def handle(self, *args: Any, **options: Any) -> None:
        task = task_named(options["task"])
        path = options["file"]
        try:
            with Path(path).open("rb") as file:
                content = format.read(file.read(format.MOST_BYTES + 1))
        except OSError as problem:
            raise CommandError(
                _("The file cannot be read: %(why)s.") % {"why": problem.strerror}
            ) from problem
        try:
            plan = plan_import(task=task, content=content, whole=options["whole"])
            if plan.faults:
                told = [f"{path}:{f.line}: {f.field}: {f.sentence}" for f in plan.faults]
                raise CommandError("\n".join([*told, _("Nothing was changed.")]))
            if not options["dry_run"]:
                plan = import_lines(
                    actor=None,
                    task=task,
                    content=content,
                    whole=options["whole"],
                    revision=plan.revision,
                )
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        counts = plan.counts
        self.stdout.write(
            _("%(edited)s changed, %(added)s added, %(removed)s removed, %(kept)s as they are.")
            % {
                "edited": counts.edited,
                "added": counts.added,
                "removed": counts.removed,
                "kept": counts.kept,
            }
        )
        if options["dry_run"]:
            self.stdout.write(_("Nothing was stored: this was a dry run."))
