"""Staff's pages that edit a work map, and its export."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web import workbooks
from curation.base.web.csv_export import download
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.work_map import actions, queries, table
from curation.tasks.work_map.forms import FactsForm, RetireForm, WorkTypeForm
from curation.tasks.work_map.models import WorkType


def _work_type(pk: int) -> WorkType:
    return get_object_or_404(WorkType.objects.select_related("domain", "category"), pk=pk)


@once
def work_type_new(request: HttpRequest, key: str) -> HttpResponse:
    """Add a work type to the map of a domain."""
    domain = queries.domain_of(key)
    initial = {"version": queries.map_of(domain).version}
    form = WorkTypeForm(request.POST or None, domain=domain, initial=initial)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.add_work_type(
                actor=request.user,
                domain=domain,
                version=form.cleaned_data["version"],
                **form.values(),
            )
            return go(request, _("Added to the work map."), "work-map", domain.key)
    context = {"domain": domain, "form": form, "work_type": None}
    return render(request, "tasks/work_map/work_type.html", context, status=status_of(form))


def work_type_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a work type."""
    work_type = _work_type(pk)
    version = queries.map_of(work_type.domain).version
    form = WorkTypeForm.of(work_type, version, request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.change_work_type(
                actor=request.user,
                work_type=work_type,
                version=form.cleaned_data["version"],
                **form.values(),
            )
            return go(request, _("Saved."), "work-map", work_type.domain.key)
    context: dict[str, Any] = {
        "domain": work_type.domain,
        "form": form,
        "work_type": work_type,
        "cell": queries.cell_of(work_type.feasible, work_type.evaluable),
        "retire": RetireForm(initial={"version": version}),
        "version": version,
    }
    return render(request, "tasks/work_map/work_type.html", context, status=status_of(form))


def work_type_move(request: HttpRequest, pk: int) -> HttpResponse:
    """Move a work type one place up or down."""
    work_type = _work_type(pk)
    form = RetireForm(request.POST)
    form.is_valid()
    actions.move_work_type(
        actor=request.user,
        work_type=work_type,
        version=form.cleaned_data["version"],
        by=-1 if request.POST.get("by") == "up" else 1,
    )
    return go(request, _("Moved."), "work-map", work_type.domain.key)


def work_type_retire(request: HttpRequest, pk: int) -> HttpResponse:
    """Retire a work type, or bring a retired one back."""
    work_type = _work_type(pk)
    form = RetireForm(request.POST)
    form.is_valid()
    version = form.cleaned_data["version"]
    if work_type.retired_at is not None:
        actions.restore_work_type(actor=request.user, work_type=work_type, version=version)
        return go(request, _("It is in use again."), "work-map", work_type.domain.key)
    with refused_at(form):
        actions.retire_work_type(
            actor=request.user,
            work_type=work_type,
            version=version,
            reason=form.cleaned_data.get("reason", ""),
        )
        return go(request, _("Retired. Its tasks stay."), "work-map", work_type.domain.key)
    context = {
        "domain": work_type.domain,
        "form": WorkTypeForm.of(work_type, version),
        "work_type": work_type,
        "cell": queries.cell_of(work_type.feasible, work_type.evaluable),
        "retire": form,
        "version": version,
    }
    return render(request, "tasks/work_map/work_type.html", context, status=400)


def work_map_facts(request: HttpRequest, key: str) -> HttpResponse:
    """Set the market, the bins of the histogram and the days of re-verification of a domain."""
    domain = queries.domain_of(key)
    form = FactsForm.of(queries.map_of(domain), request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.set_facts(
                actor=request.user,
                domain=domain,
                version=form.cleaned_data["version"],
                **form.values(),
            )
            return go(request, _("Saved."), "work-map", domain.key)
    context = {"domain": domain, "form": form}
    return render(request, "tasks/work_map/facts.html", context, status=status_of(form))


def work_map_csv(request: HttpRequest, key: str) -> HttpResponseBase:
    """Download the map of a domain as CSV, as `manage.py work_map` reads it."""
    domain = queries.domain_of(key)
    return download(f"work-map-{domain.pk}.csv", table.HEAD, table.rows_of(_exported(domain)))


def work_map_xlsx(request: HttpRequest, key: str) -> HttpResponse:
    """Download the map of a domain as an Excel workbook, as `manage.py work_map` reads it."""
    domain = queries.domain_of(key)
    rows = table.rows_of(_exported(domain))
    return workbooks.download(f"work-map-{domain.pk}.xlsx", table.HEAD, rows, name="work map")


def _exported(domain: Any) -> Any:
    return queries.work_types_of(domain).select_related("category", "domain__work_map")
