"""Write tasks with their rubrics as JSON lines."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.process.lifecycle import Stage
from curation.tasks.models import Origin, Task
from judge.management.writing import check_new, write_lines
from judge.transfer.exporting import copy_files, task_lines


class Command(BaseCommand):
    help = "Write tasks with their rubrics as JSON lines, as import_tasks reads them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file to write; it must not exist")
        parser.add_argument("--origin", choices=Origin.values, help="only tasks of this origin")
        parser.add_argument(
            "--stage", choices=Stage.values, default=Stage.APPROVED, help="default: approved"
        )
        parser.add_argument(
            "--files", metavar="DIR", help="copy the tasks' files there, too; it must not exist"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        target = Path(options["file"])
        check_new(target)
        folder = Path(options["files"]) if options["files"] else None
        if folder is not None:
            check_new(folder)
        tasks = Task.objects.filter(stage=options["stage"])
        if options["origin"]:
            tasks = tasks.filter(origin=options["origin"])
        count = write_lines(target, task_lines(tasks))
        self.stdout.write(f"Wrote {count} tasks to {target.name}.")
        if folder is not None:
            copied, missing = copy_files(tasks, folder)
            self.stdout.write(f"Copied {copied} files to {folder.name}.")
            if missing:
                raise CommandError(
                    f"Not in the storage, or not what was uploaded: {', '.join(missing)}."
                )
