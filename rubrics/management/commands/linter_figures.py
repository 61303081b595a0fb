"""Measure the linter on the labelled lines, on a file, or on the rubrics of the database."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.tasks.task.models import Task
from rubrics.linter.rules import LintContext
from rubrics.marks import precision
from rubrics.versions.models import Criterion
from rubrics.versions.queries import lines_of, version_to_read, working_version

LABELLED = Path(settings.BASE_DIR) / "fixtures" / "linter"


class Command(BaseCommand):
    """`manage.py linter_figures`: precision and recall, or how often each rule fires."""

    help = (
        "Prints the precision and recall of every rule of the linter on the labelled lines; on a "
        "file of rubrics or on the tasks of the database, how often each rule fires."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="JSON lines: tasks with a rubric, or bare lines"
        )
        parser.add_argument("--tasks", action="store_true", help="the tasks of the database")
        parser.add_argument("--json", action="store_true", help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["tasks"] and options["file"]:
            raise CommandError(_("Name a file or --tasks, not both."))
        if options["tasks"]:
            self._rates(precision.rates(_of_the_database()), options["json"])
        elif options["file"]:
            try:
                rubrics = precision.read_rubrics(options["file"])
            except OSError as error:
                raise CommandError(
                    f"{options['file']} cannot be read: {error.strerror}."
                ) from error
            except ValueError as problem:
                raise CommandError(f"{options['file']}: {problem}") from problem
            self._rates(precision.rates(rubrics), options["json"])
        else:
            self._labelled(options["json"])

    def _labelled(self, as_json: bool) -> None:
        sets = precision.read_labelled(LABELLED)
        found = precision.measure(sets)
        if as_json:
            halves = {
                half: {code: count.as_dict() for code, count in counts.items()}
                for half, counts in found.items()
            }
            lines = {h: sum(len(s.lines) for s in sets if s.half == h) for h in precision.HALVES}
            self.stdout.write(json.dumps({"lines": lines, **halves}))
        else:
            self.stdout.write(precision.table(found))

    def _rates(self, found: Mapping[str, Any], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(found))
            return
        self.stdout.write(precision.rates_table(found))
        self.stdout.write(
            _("%(lines)s lines of %(rubrics)s rubrics read; %(marked)s lines have a mark.") % found
        )


def _of_the_database() -> Iterator[tuple[list[Criterion], LintContext]]:
    """Yield the current rubric of each task with its prompt and reference answer."""
    for task in Task.objects.order_by("pk").iterator(chunk_size=200):
        lines = lines_of(working_version(task) or version_to_read(task))
        if lines:
            yield lines, LintContext(task.requirements, task.reference_answer, task.answer_form)
