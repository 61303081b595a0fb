"""Print how far several methods of judging agree with experts on the same responses."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import storable
from curation.base.web.refusals import WorkbenchError
from judge.base.figures.sentences import reason_text
from judge.base.stats.report_scores import RESAMPLES, Correlation
from judge.management.arguments import names
from judge.results.method_comparison.queries import Comparison, MethodRow, compare_methods


class Command(BaseCommand):
    """`manage.py compare_methods --runs 5,6,7 [--json]`."""

    help = "Compares finished runs of several methods: agreement with experts' grades, and cost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--runs", type=names, required=True, help="separated by commas")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--resamples", type=int, default=RESAMPLES)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        runs = [storable.whole_number(name) for name in options["runs"]]
        if options["seed"] < 0 or options["resamples"] < 0:
            raise CommandError(_("Seed and resamples are whole numbers of at least 0."))
        try:
            found = compare_methods(
                [-1 if number is None else number for number in runs],
                seed=options["seed"],
                resamples=options["resamples"],
            )
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if options["json"]:
            self.stdout.write(json.dumps(found.as_dict(), ensure_ascii=False))
        else:
            self._print(found)

    def _print(self, found: Comparison) -> None:
        self.stdout.write(
            ngettext(
                "%(n)s response that every run scored and an expert graded.",
                "%(n)s responses that every run scored and an expert graded.",
                found.common,
            )
            % {"n": found.common}
        )
        agreement = found.experts.mean_pearson
        if agreement is not None:
            self.stdout.write(
                _("%(n)s experts, mean r of two of them %(r)s.")
                % {"n": found.experts.raters, "r": f"{agreement:.3f}"}
            )
        self.stdout.write("\n" + _("Agreement with the trimmed mean of the experts"))
        for row in found.rows:
            self.stdout.write(_agreement(row))
        self.stdout.write("\n" + _("What a response took"))
        for row in found.rows:
            self.stdout.write(_taken(row))


def _agreement(row: MethodRow) -> str:
    found = row.agreement
    mean = "–" if row.mean is None else f"{row.mean:.1f}"
    spread = "–" if row.instability is None else f"{row.instability:.1f}"
    return (
        f"  {row.run:>4}  {row.label:24.24}  S {mean:>5}"
        f"  r {_figure(found, 'pearson'):22}"
        f"  rho {_figure(found, 'spearman'):22}  ± {spread} ({row.repeats})"
    )


def _taken(row: MethodRow) -> str:
    cost, tokens = row.cost["cost_usd"], (row.cost["input_tokens"], row.cost["output_tokens"])
    return (
        f"  {row.run:>4}  {row.label:24.24}  {row.cost['calls'] or 0:6.1f}"
        f"  {tokens[0] or 0:10,.0f}  {tokens[1] or 0:8,.0f}"
        f"  {'–' if cost is None else f'${cost:.4f}'}"
    )


def _figure(found: Correlation, name: str) -> str:
    value, interval = getattr(found, name), getattr(found, f"{name}_ci95")
    if value is None:
        return "–"
    if interval is None:
        return f"{value:.3f} ({reason_text(found.why.get(f'{name}_ci95'))})"
    return f"{value:.3f} [{interval[0]:.2f}, {interval[1]:.2f}]"
