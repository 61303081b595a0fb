"""Print the leaderboard of a judge."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.web.refusals import WorkbenchError
from judge.results.alignment.raters import find_judge
from judge.results.leaderboard.queries import rank_range
from judge.results.leaderboard.ranking import BY, Board, board, without_example
from judge.results.leaderboard.words import sentence
from judge.runs.engine.models import JudgeRun


class Command(BaseCommand):
    """`manage.py leaderboard`: prints a table, or JSON."""

    help = "Candidates by their scores, with intervals and the places they may hold."
    # The command only reads, and the checks would take longer than the report itself.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--run",
            help="a run by its number or a rater by name; default: the newest finished run, "
            "one-shot before zero-shot",
        )
        parser.add_argument("--by", choices=BY, default="domain")
        parser.add_argument("--group", metavar="KEY", help="rank over one of these alone")
        parser.add_argument(
            "--tasks",
            metavar="SET",
            help="a set of tasks: all, draw:3, release:2, draw:3/held-out; default: the set that "
            "the run was planned on",
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            judge = find_judge(options["run"], field="run")
            if judge is None:
                raise CommandError(_nothing_finished())
            found = board(judge, by=options["by"], group=options["group"], tasks=options["tasks"])
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if options["json"]:
            self.stdout.write(json.dumps(found.as_dict(), ensure_ascii=False))
        else:
            self.stdout.write(as_text(found))


def _nothing_finished() -> str:
    newest = JudgeRun.objects.first()
    if newest is None:
        return _("There is no run yet. Start one first: manage.py judge")
    return _(
        "No run has finished yet. The newest is run %(n)s, at “%(state)s”; --run %(n)s shows what "
        "it has judged so far."
    ) % {"n": newest.pk, "state": newest.get_state_display()}


def as_text(found: Board) -> str:
    """Format the leaderboard for a terminal; scores in points of 100."""
    head = ["place", "candidate", "score", "95 % interval", "coverage", "$ each", "seconds"]
    head += found.columns.values()
    rows = [head]
    for entry in found.candidates:
        standing = entry.standing
        interval = standing.ci95
        rows.append(
            [
                rank_range(standing.best_place, standing.worst_place),
                standing.candidate,
                points(standing.mean),
                f"{points(interval[0])}–{points(interval[1])}" if interval else "–",
                "–" if entry.coverage is None else f"{100 * entry.coverage:.1f} %",
                "–" if entry.cost_usd is None else f"{entry.cost_usd:.4f}",
                "–" if entry.latency_s is None else f"{entry.latency_s:.1f}",
                *(points(entry.by[key]) for key in found.columns),
            ]
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return "\n".join(
        [
            f"{found.judge.label}{f', {found.columns[found.group]} alone' if found.group else ''}: "
            f"{found.tasks:,} tasks, {found.bootstrap:,} resamples of tasks, "
            f"seed {found.seed}",
            *filter(
                None,
                [
                    without_example(found.judge),
                    found.coverage.sentence,
                    found.coverage.looks.sentence,
                ],
            ),
            sentence(found),
            "",
            *(
                "  ".join(
                    cell.ljust(width) for cell, width in zip(row, widths, strict=True)
                ).rstrip()
                for row in rows
            ),
        ]
    )


def points(share: float | None) -> str:
    """Format a share in points of 100 with one decimal; None as a dash."""
    return "–" if share is None else f"{100 * share:.1f}"
