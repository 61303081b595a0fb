"""Print how tasks and lines do over the candidates of a judge."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.text.wording import decimal
from curation.base.web.refusals import WorkbenchError
from curation.joining.domains.models import Domain
from judge.base.gold_sets import task_sets
from judge.base.stats.item_analysis import Limits
from judge.results.alignment.raters import find_judge
from judge.results.difficulty.analyses import Analysis, analyse, headline
from judge.results.difficulty.analysis_tables import task_as_dict

_DEFAULT = Limits()


class Command(BaseCommand):
    """`manage.py task_analysis`: prints a table, or one line of JSON for each task."""

    help = "Difficulty, discrimination and saturation of tasks, and lines that decide nothing."
    # The command only reads.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--judge", help="a run by its number or a rater by name; default: the newest run"
        )
        parser.add_argument(
            "--tasks", default="", help="all, draw:3, release:2/development …; default: open"
        )
        parser.add_argument("--domain", metavar="KEY", default="", help="only this domain")
        parser.add_argument("--candidates", type=int, default=_DEFAULT.candidates)
        parser.add_argument("--responses", type=int, default=_DEFAULT.responses)
        parser.add_argument(
            "--saturated", type=float, default=_DEFAULT.saturated, help="a share from 0 to 1"
        )
        parser.add_argument("--json", action="store_true", help="one line of JSON for each task")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["candidates"] < 3 or options["responses"] < 3:
            raise CommandError(_("Candidates and responses: a whole number of at least 3."))
        if not 0 < options["saturated"] <= 1:
            raise CommandError(_("Saturated: a share above 0 and up to 1."))
        domain = options["domain"]
        if domain and not Domain.objects.filter(key=domain).exists():
            raise CommandError(_("There is no domain “%(key)s”.") % {"key": domain})
        limits = Limits(options["candidates"], options["responses"], options["saturated"])
        try:
            judge = find_judge(options["judge"])
            if judge is None:
                raise CommandError(_("No run has finished yet, so there is nothing to analyse."))
            found = analyse(judge, limits, tasks=task_sets.parse(options["tasks"]), domain=domain)
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if options["json"]:
            for row in found.rows:
                self.stdout.write(json.dumps(task_as_dict(row), ensure_ascii=False))
        else:
            self.stdout.write(as_text(found))


def as_text(found: Analysis) -> str:
    """Format the tasks for a terminal."""
    rows = [["task", "candidates", "mean", "difficulty", "discrimination", "to decide"]]
    rows += [
        [
            row.task.key,
            str(row.figures.candidates),
            decimal(row.figures.mean),
            decimal(row.figures.difficulty),
            decimal(row.figures.discrimination),
            str(len(row.open)),
        ]
        for row in found.rows
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([f"{found.judge.label}: {headline(found)}", "", *lines])
