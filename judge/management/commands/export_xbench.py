"""Write tasks with an exact answer as the encrypted CSV of xbench's evaluations."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import ngettext

from curation.base.web.refusals import WorkbenchError
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK
from judge.gold.transfer.xbench_file import csv_of
from judge.gold.transfer.xbench_tasks import questions_of
from judge.management.writing import check_new, write_lines


class Command(BaseCommand):
    """`manage.py export_xbench FILE --key KEY [--tasks SET]`."""

    help = (
        "Approved tasks with an exact answer, held-out ones left out, as the encrypted CSV that "
        "import_xbench and xbench's own programs read. Anybody with the file can read it: its "
        "column “canary” holds the key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a new file")
        parser.add_argument("--key", required=True, help="encrypts the texts")
        parser.add_argument(
            "--tasks",
            default="",
            metavar="SET",
            help="a set of tasks: draw:3, release:2, draw:3/development; default: all that are "
            "not held out",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["file"])
        check_new(path)
        try:
            named = options["tasks"]
            tasks = task_sets.parse(named) if named else EVERY_OPEN_TASK
            questions = questions_of(tasks)
            content = csv_of(questions, options["key"])
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from None
        write_lines(path, [content.encode()])
        self.stdout.write(
            ngettext(
                "Wrote %(n)s task to %(name)s.", "Wrote %(n)s tasks to %(name)s.", len(questions)
            )
            % {"n": f"{len(questions):,}", "name": path.name}
        )
