"""Print the scores of a JADE run, response by response."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.web.refusals import WorkbenchError
from judge.results.alignment.raters import find_run
from judge.results.method_comparison.jade_scores import jade_scores


class Command(BaseCommand):
    """`manage.py jade RUN [--json]`."""

    help = "Scores, items and claims of each response of a JADE run; with --json in one line."
    # The command only reads.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="the number of the run")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = find_run(options["run"])
            if run is None:
                raise CommandError(_("Name the run by its number."))
            rows = jade_scores(run)
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if options["json"]:
            self.stdout.write(json.dumps({"responses": rows}, ensure_ascii=False))
            return
        if not rows:
            self.stdout.write(_("This run has nothing to show: every response was skipped."))
        for row in rows:
            self.stdout.write(_line(row))


def _line(row: dict[str, Any]) -> str:
    outcomes = [claim["outcome"] for claim in row["claims"]]
    counted = "  ".join(
        f"{name} {outcomes.count(name)}" for name in ("supported", "refuted", "unverifiable")
    )
    figures = "  ".join(f"{name} {_figure(row[name])}" for name in ("s", "s_reason", "s_evid"))
    why = f"  ({', '.join(row['why'])})" if row["why"] else ""
    return f"{row['candidate']:24.24}  {row['task']:32.32}  {figures}  {counted}{why}"


def _figure(value: float | None) -> str:
    return "    –" if value is None else f"{value:.3f}"
