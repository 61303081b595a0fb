"""Write tasks with their rubrics as JSON lines."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import ANSWERABLE, Task
from judge.gold.transfer.exporting import FileFolder, task_lines
from judge.gold.transfer.task_files import folder_beside
from judge.management.writing import check_new, write_lines


class Command(BaseCommand):
    help = "Write tasks with their rubrics as JSON lines, as import_tasks reads them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file to write; it must not exist")
        parser.add_argument(
            "--origin", choices=[one.value for one in ANSWERABLE], help="only tasks of this origin"
        )
        parser.add_argument(
            "--stage", choices=Stage.values, default=Stage.APPROVED, help="default: approved"
        )
        parser.add_argument(
            "--files",
            metavar="DIR",
            help="the folder for the tasks' files; it must not exist. "
            "Default: beside FILE, FILE without its ending and with “-files”",
        )
        parser.add_argument(
            "--without-files", action="store_true", help="leave the files of tasks out"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        target = Path(options["file"])
        check_new(target)
        if options["files"] and options["without_files"]:
            raise CommandError("--files does not go with --without-files.")
        folder = None
        if not options["without_files"]:
            folder = FileFolder(Path(options["files"] or folder_beside(target)))
            check_new(folder.path)
        tasks = Task.objects.filter(stage=options["stage"], origin__in=ANSWERABLE)
        if options["origin"]:
            tasks = tasks.filter(origin=options["origin"])
        count = write_lines(target, task_lines(tasks, files=folder))
        self.stdout.write(f"Wrote {count} tasks to {target.name}.")
        if folder is None:
            return
        if folder.copied:
            self.stdout.write(f"Copied {folder.copied} files to {folder.path.name}.")
        if folder.missing:
            raise CommandError(
                f"Not in the storage, or not what was uploaded: {', '.join(folder.missing)}."
            )
