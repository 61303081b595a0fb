"""Export the rubric of one task as a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.tasks.task.models import Task
from rubrics.files import format
from rubrics.versions.queries import lines_of, version_to_read, working_version


class Command(BaseCommand):
    """`manage.py export_rubric KEY [--number N] [--format csv|jsonl] [--out FILE]`."""

    help = "Writes a version of a task's rubric, by default the one that is worked on or counts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="key of the task, or its number")
        parser.add_argument("--number", type=int, help="of the version")
        parser.add_argument("--format", choices=sorted(format.KINDS), default="jsonl")
        parser.add_argument("--out", help="file to write; standard output without it")

    def handle(self, *args: Any, **options: Any) -> None:
        task = task_named(options["task"])
        if options["number"] is not None:
            version = task.rubric_versions.filter(number=options["number"]).first()
        else:
            version = working_version(task) or version_to_read(task)
        if version is None:
            raise CommandError(_("This task has no such version of a rubric."))
        written = format.write(lines_of(version), options["format"])
        if options["out"] is None:
            self.stdout.write(written, ending="")
            return
        try:
            Path(options["out"]).write_text(written, encoding="utf-8", newline="")
        except OSError as problem:
            raise CommandError(
                _("The file cannot be written: %(why)s.") % {"why": problem.strerror}
            ) from problem


def task_named(name: str) -> Task:
    """Return the task with a key or a primary key.

    Raises:
        CommandError: there is none.
    """
    task = Task.objects.filter(key=name).first()
    if task is None and name.isascii() and name.isdigit():
        task = Task.objects.filter(pk=int(name)).first()
    if task is None:
        raise CommandError(_("There is no task “%(name)s”.") % {"name": name})
    return task
