"""Pages of the alignment report: how far to trust a judge."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web import csv_export
from curation.base.web.fields import set_numbers
from curation.base.web.once import ReadVersionField, once
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, status_of
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import latest, next_state
from judge.base.gold_sets.forms import ReportSetField
from judge.base.stats.numbers import FEWEST_TASKS, reason_in
from judge.results.alignment import page_queries as queries
from judge.results.alignment.models import TrustThresholds
from judge.results.alignment.outcome_figures import outcome_rows
from judge.results.alignment.raters import default_judge, judges
from judge.runs.engine.unfinished_runs import notes_on
from judge.scoring.sheets.queries import submitted_sheets

if TYPE_CHECKING:
    from judge.results.alignment.report import Alignment


TABLE_HEAD = ("judge", "group", "name", "figure", "value", "low", "high", "why")


def table(report: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield every figure of a report (`Alignment.as_dict`) as one row."""
    yield from _figures_of(report["judge"], report)
    yield from _grades(report["judge"], "grades", report.get("grades"))
    experts = dict(report["expert_agreement"])
    yield from _grades(report["judge"], "expert_grades", experts.pop("grades", None))
    for figure, value in (preferences := experts.pop("preferences")).items():
        if figure != "why":
            yield (
                report["judge"], "expert_preferences", "", figure, _blank(value), "", "",
                reason_in(preferences["why"], figure, None),
            )  # fmt: skip
    yield from _ceiling(report["judge"], experts)
    if "outcomes" in report:
        yield from outcome_rows(report["judge"], report["outcomes"])
    if "compare" in report:
        other = report["compare"]
        yield from _figures_of(other["judge"], other)
        yield from _grades(other["judge"], "grades", other.get("grades"))
        gap = other["difference"]
        low, high = gap["ci95"] or ("", "")
        yield (
            report["judge"], "difference", other["judge"], "cdr_micro", _blank(gap["cdr_micro"]),
            low, high, reason_in(gap["why"], "cdr_micro", "ci95"),
        )  # fmt: skip


def _grades(judge: str, group: str, report: dict[str, Any] | None) -> Iterator[tuple[Any, ...]]:
    """Yield the figures on grades; none where nobody graded."""
    for figure, value in (report or {}).items():
        if figure in ("why", "ci95") or report is None:
            continue
        low, high = report["ci95"].get(figure) or ("", "")
        why = reason_in(report["why"], figure, f"{figure}_ci95")
        yield judge, group, "", figure, _blank(value), low, high, why


def _ceiling(judge: str, own: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the figures of the experts' agreement among themselves."""
    intervals = {"cdr_micro": "ci95", "j": "j_ci95"}
    for figure, value in own.items():
        if figure == "why" or figure in intervals.values():
            continue
        low, high = own.get(intervals.get(figure, "")) or ("", "")
        yield (
            judge, "expert_agreement", "", figure, _blank(value), low, high,
            reason_in(own["why"], figure, intervals.get(figure)),
        )  # fmt: skip


def _figures_of(judge: str, report: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    yield from _rows(judge, "all", "", report)
    own = report.get("self_preference")
    if own is not None:
        low, high = own["ci95"] or ("", "")
        yield (
            judge, "self_preference", own["house"] or "", "difference", _blank(own["difference"]),
            low, high, reason_in(own["why"], "difference", "ci95"),
        )  # fmt: skip
    for band in report["reliability"]:
        low, high = band["ci95"] or ("", "")
        name = f"{band['low']:g} to {band['high']:g}"
        yield (
            judge,
            "reliability",
            name,
            "experts",
            band["experts"],
            low,
            high,
            reason_in(band["why"], "experts", "ci95"),
        )
        yield judge, "reliability", name, "judge", band["judge"], "", "", ""
        yield judge, "reliability", name, "responses", band["responses"], "", "", ""
    for group, entries in report["by"].items():
        for name, entry in entries.items():
            yield from _rows(judge, group, name, entry)


_INTERVALS = {
    "cdr_micro": "ci95",
    "cdr_macro": "macro_ci95",
    "j": "j_ci95",
    "mean_bias": "mean_bias_ci95",
}


def _rows(judge: str, group: str, name: str, entry: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    for part in ("preference", "criterion", "score"):
        figures = entry.get(part)
        if figures is None:
            continue
        for figure, value in figures.items():
            if figure == "why" or figure in _INTERVALS.values():
                continue
            low, high = figures.get(_INTERVALS.get(figure, ""), None) or ("", "")
            yield (
                judge, group, name, f"{part}.{figure}", _blank(value), low, high,
                reason_in(figures["why"], figure, _INTERVALS.get(figure)),
            )  # fmt: skip


def _blank(value: Any) -> Any:
    return "" if value is None else value


class ComparisonForm(forms.Form):
    """The judge, the one it is compared with, the experts, what counts, and the resampling."""

    judge = forms.ChoiceField(label=gettext_lazy("Judge"))
    compare = forms.ChoiceField(label=gettext_lazy("Compared with"), required=False)
    experts = forms.ChoiceField(label=gettext_lazy("Experts"), required=False)
    domain = forms.ChoiceField(label=gettext_lazy("Domain"), required=False)
    tasks = ReportSetField()
    flagged = forms.BooleanField(
        label=gettext_lazy("Count sheets that a flag asked for"), required=False
    )
    bootstrap = forms.TypedChoiceField(
        label=gettext_lazy("Resamples"),
        choices=[(1000, "1,000"), (10_000, "10,000"), (50_000, "50,000")],
        coerce=int,
        initial=10_000,
        required=False,
        empty_value=10_000,  # type: ignore[arg-type]  # Django takes any; the stubs only text
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"), min_value=0, max_value=2**63 - 1, initial=0, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        offered = judges()
        self.fields["judge"].choices = offered  # type: ignore[attr-defined]
        self.fields["compare"].choices = [("", gettext_lazy("Nothing")), *offered]  # type: ignore[attr-defined]
        self.fields["experts"].choices = [  # type: ignore[attr-defined]
            ("", gettext_lazy("All experts")),
            *queries.experts(),
        ]
        self.fields["domain"].choices = [  # type: ignore[attr-defined]
            ("", gettext_lazy("All domains")),
            *((domain.key, str(domain)) for domain in Domain.objects.all()),
        ]

    def clean_seed(self) -> int:
        return self.cleaned_data["seed"] or 0


class ThresholdsForm(forms.ModelForm):
    """The thresholds a judge must reach before the report says that it may be trusted."""

    read = ReadVersionField()

    class Meta:
        model = TrustThresholds
        fields = ("cdr_lower", "tasks", "strict_pairs", "coverage", "j_lower", "mean_bias")
        help_texts = {
            "cdr_lower": gettext_lazy(
                "For ranking: the interval (95 %) must be above this, from −1 to 1."
            ),
            "tasks": gettext_lazy("For ranking: tasks on which the experts prefer one response."),
            "strict_pairs": gettext_lazy(
                "For ranking: pairs of responses of which the experts prefer one."
            ),
            "coverage": gettext_lazy(
                "For ranking: share of these pairs with a judge score, from 0 to 1."
            ),
            "j_lower": gettext_lazy(
                "For single responses: the interval of J (95 %) must be above this."
            ),
            "mean_bias": gettext_lazy(
                "For single responses: the most allowed in either direction."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


def alignment(request: HttpRequest) -> HttpResponse:
    """Show the report, or what is missing for one."""
    form = ComparisonForm(_chosen(request))
    if not form.fields["judge"].choices or not queries.experts():  # type: ignore[attr-defined]
        return render(
            request, "results/alignment/empty.html", {"has_experts": bool(queries.experts())}
        )
    found, refused = None, ""
    if form.is_valid():
        try:
            found = _measured(form)
        except BadInput as refusal:
            refused = str(refusal.detail)
    if found is None:
        return render(
            request,
            "results/alignment/refused.html",
            {"form": form, "refused": refused},
            status=400,
        )
    return render(
        request,
        "results/alignment/report.html",
        {
            "form": form,
            "query": _query(form),
            "whole": _query(form, without="domain"),
            "fewest_tasks": FEWEST_TASKS,
            "p": queries.page(found, with_disagreements=request.user.is_staff),
            "unfinished": notes_on(
                side.data.rater.run for side in (found.judge, found.compare) if side
            ),
        },
    )


def alignment_csv(request: HttpRequest) -> HttpResponseBase:
    """Download every figure of the report, one a row."""
    found = _measured(_valid(request))
    name = f"alignment-{found.judge.data.rater.file_name}.csv"
    return csv_export.download(name, TABLE_HEAD, table(_readable(request, found)))


def alignment_json(request: HttpRequest) -> HttpResponse:
    """Return the report as the command prints it."""
    return JsonResponse(_readable(request, _measured(_valid(request))))


@once
def thresholds(request: HttpRequest) -> HttpResponse:
    """Change the thresholds; the old state stays on record."""
    current = TrustThresholds.objects.first() or TrustThresholds()
    if request.method == "POST":
        form = ThresholdsForm(request.POST)
        if form.is_valid():
            next_state(TrustThresholds, **form.cleaned_data, set_by=request.user)
            return go(
                request, _("The thresholds are set. Every report follows them now."), "alignment"
            )
    else:
        form = ThresholdsForm(
            initial={name: getattr(current, name) for name in ThresholdsForm.Meta.fields}
            | {"read": latest(TrustThresholds)}
        )
    history = TrustThresholds.objects.select_related("set_by")[:20]
    return render(
        request,
        "results/alignment/thresholds.html",
        {"form": form, "history": history},
        status=status_of(form),
    )


def alignment_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead from an expert's submitted sheet to the page with all verdicts on its response."""
    sheet = get_object_or_404(submitted_sheets(), pk=pk)
    judge = request.GET.get("judge", "")
    query = f"?{urlencode({'judge': judge})}" if judge else ""
    return redirect(f"{reverse('verdict', args=[sheet.response_id])}{query}")


def _chosen(request: HttpRequest) -> dict[str, Any]:
    """Complete the address's choices with the newest run and that by the other method."""
    given = request.GET.dict()
    if not given.get("judge"):
        run = default_judge()
        offered = judges()
        given["judge"] = str(run.pk) if run else offered[0][0] if offered else ""
    if "compare" not in given:  # choosing "Nothing" in the form sends an empty value
        run = queries.run_of(given["judge"])
        other = queries.run_by_other_method(run) if run else None
        given["compare"] = str(other.pk) if other else ""
    return {"bootstrap": 10_000, "seed": 0, **given}


def _valid(request: HttpRequest) -> ComparisonForm:
    form = ComparisonForm(_chosen(request))
    if not form.is_valid():
        raise BadInput(
            _("This comparison cannot be made. Choose a judge and experts on the page."),
            fields={name: list(errors) for name, errors in form.errors.items()},
        )
    return form


def _measured(form: ComparisonForm) -> "Alignment":
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.results.alignment.report import align

    wanted = form.cleaned_data
    return align(
        wanted["judge"],
        wanted["experts"] or None,
        wanted["compare"] or None,
        int(wanted["bootstrap"]),
        wanted["seed"],
        wanted["domain"] or None,
        with_flagged=wanted["flagged"],
        tasks=wanted["tasks"] or None,
    )


def _readable(request: HttpRequest, found: "Alignment") -> dict[str, Any]:
    """Return the report as plain data, for seniors without the bias towards families."""
    report = found.as_dict()
    if not request.user.is_staff:
        for part in (report, report.get("compare", {})):
            part.get("by", {}).pop("judge_family", None)
            part.pop("self_preference", None)
    return report


def _query(form: ComparisonForm, without: str = "") -> str:
    return urlencode(
        {
            k: v
            for k, v in form.cleaned_data.items()
            if (v not in ("", None, False) or k == "compare") and k != without
        }
    )
