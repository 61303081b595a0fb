"""Views that compare runs of several methods with experts' grades."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.base.figures import charts
from judge.base.figures.figures import format_interval, format_number
from judge.base.figures.sentences import reason_text
from judge.runs.pages.forms import JudgedRunsForm

if TYPE_CHECKING:
    from judge.base.stats.report_scores import Fifth
    from judge.results.method_comparison.queries import Comparison, MethodRow


@dataclass(frozen=True, slots=True)
class PageRow:
    """One run as text; `fifths` are its scores and the experts', in points of 100."""

    row: "MethodRow"
    pearson: str
    pearson_range: str
    spearman: str
    spearman_range: str
    fifths: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class ComparisonPage:
    """What the page shows.

    Attributes:
        finding: the sentence at the top.
        forest, forest_narrow: Pearson's r with its interval, a row for each run; "" without any.
        no_experts: why the experts' agreement with each other is unknown; "" if it is known.
    """

    found: "Comparison"
    finding: str
    rows: Sequence[PageRow]
    forest: SafeString | str
    forest_narrow: SafeString | str
    no_experts: str


def comparison_page(runs: Sequence[int]) -> ComparisonPage:
    """Compare runs for a page. Some ten queries for each run.

    Raises:
        BadInput: a run is unknown.
    """
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.results.method_comparison.queries import compare_methods

    found = compare_methods(runs)
    finding = _finding(found)
    rows = [
        charts.ForestRow(
            name=_("%(method)s, run %(n)s") % {"method": row.label, "n": row.run},
            first=charts.Estimate(row.agreement.pearson, row.agreement.pearson_ci95)
            if row.agreement.pearson is not None
            else None,
            count=row.agreement.n,
        )
        for row in found.rows
    ]
    drawn = any(row.first for row in rows)
    axis = _("Pearson's r with the experts, with its interval")
    return ComparisonPage(
        found=found,
        finding=finding,
        rows=[_page_row(row) for row in found.rows],
        forest=charts.forest(rows, title=finding, axis=axis) if drawn else "",
        forest_narrow=charts.forest(rows, title=finding, axis=axis, narrow=True) if drawn else "",
        no_experts="" if found.experts.why is None else reason_text(found.experts.why),
    )


def _finding(found: "Comparison") -> str:
    known = [row for row in found.rows if row.agreement.pearson is not None]
    if not found.graded:
        return _("No expert has graded a whole response of these runs yet.")
    if not found.common:
        return _("No response was scored by every run and graded by an expert.")
    if not known:
        return _("How far these runs agree with the experts is unknown.")
    best = max(known, key=lambda row: row.agreement.pearson or 0.0)
    return _("%(method)s, run %(n)s, agrees most with the experts: r = %(r)s.") % {
        "method": best.label,
        "n": best.run,
        "r": format_number(best.agreement.pearson),
    }


def _page_row(row: "MethodRow") -> PageRow:
    found = row.agreement
    why = found.why if found.n else {}  # without a response in common the page has said so
    return PageRow(
        row=row,
        pearson=format_number(found.pearson, why.get("pearson")),
        pearson_range=""
        if found.pearson is None
        else format_interval(found.pearson_ci95, found.why.get("pearson_ci95")),
        spearman=format_number(found.spearman, why.get("spearman")),
        spearman_range=""
        if found.spearman is None
        else format_interval(found.spearman_ci95, found.why.get("spearman_ci95")),
        fifths=[_points(part) for part in row.calibration],
    )


def _points(part: "Fifth") -> tuple[float, float]:
    return 100 * part.score, 100 * part.target


def method_comparison(request: HttpRequest) -> HttpResponse:
    """Show how far each chosen run agrees with the experts, and what it took."""
    form = JudgedRunsForm(request.GET)
    refused = "" if form.is_valid() else _("Choose among the runs below.")
    chosen = form.cleaned_data.get("runs")
    return render(
        request,
        "results/method_comparison/comparison.html",
        {
            "form": form,
            "p": comparison_page(chosen) if chosen and not refused else None,
            "refused": refused,
            "query": request.GET.urlencode(),
        },
        status=400 if refused else 200,
    )


def method_comparison_json(request: HttpRequest) -> JsonResponse:
    """Return the comparison as `compare_methods --json` prints it."""
    form = JudgedRunsForm(request.GET)
    if not form.is_valid():
        raise BadInput(_("Choose the runs on the page of methods compared."))
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.results.method_comparison.queries import compare_methods

    return JsonResponse(compare_methods(form.cleaned_data["runs"]).as_dict())
