"""Write what was really chosen for selection tasks, as import_outcomes reads it."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from judge.management.writing import write_lines
from judge.methods.profiles.outcome_files import outcome_lines


class Command(BaseCommand):
    help = "The newest real outcome of each task and rater, as JSON lines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["out"]:
            write_lines(Path(options["out"]), (line.encode() for line in outcome_lines()))
        else:
            self.stdout.write("".join(outcome_lines()), ending="")
