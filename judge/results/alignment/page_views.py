"""Pages of the alignment report: how far to trust a judge."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.web import csv_export
from curation.base.web.once import once
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, status_of
from curation.joining.domains.policies import latest, next_state
from judge.base.stats.reasons import FEWEST_TASKS
from judge.results.alignment import page_queries as queries
from judge.results.alignment import page_tables as tables
from judge.results.alignment.models import TrustThresholds
from judge.results.alignment.page_forms import ComparisonForm, ThresholdsForm
from judge.results.alignment.raters import default_judge, judges
from judge.runs.engine.unfinished_runs import notes_on
from judge.scoring.sheets.queries import submitted_sheets

if TYPE_CHECKING:
    from judge.results.alignment.report import Alignment


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
    return csv_export.download(name, tables.TABLE_HEAD, tables.table(_readable(request, found)))


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
