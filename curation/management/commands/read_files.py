"""Read the files of tasks and trials that were not read yet."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from curation.tasks.file_views.read_files import read_again, read_waiting_files


class Command(BaseCommand):
    help = (
        "Read the files of tasks and trials that nobody has read yet; the worker does the same, "
        "some at a time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--again",
            action="store_true",
            help=(
                "read those once more of which nothing could be read, or which an earlier version "
                "of the workbench read; models may get more of them afterwards"
            ),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        done = read_again() if options["again"] else 0
        while some := read_waiting_files():
            done += some
        self.stdout.write(f"Files read: {done}.")
