"""Views of every list: keep and forget a view; preview a step on many rows, and do it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.permissions import authorize
from curation.base.lists import actions, bulk
from curation.base.lists.declared import ListSpec, list_named
from curation.base.lists.models import SavedView
from curation.base.lists.page import keys_matching, query_of_view
from curation.base.web.forms import read_filter
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at


def _list(name: str) -> ListSpec:
    spec = list_named(name)
    if spec is None:
        raise NotFound()
    return spec


def _address(spec: ListSpec, query: str) -> str:
    url = reverse(spec.route)
    return f"{url}?{query}" if query else url


# --- saved views ----------------------------------------------------------------------------------
def view_save(request: HttpRequest, name: str) -> HttpResponse:
    """Keep the filters and the order of this address under a name."""
    spec = _list(name)
    query = query_of_view(read_filter(spec.form_class, request.GET))
    view = actions.save_view(
        actor=request.user, name=request.POST.get("name", ""), query=query, list_name=spec.name
    )
    return go(request, _("Kept as “%(name)s”.") % {"name": view.name}, _address(spec, query))


def view_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a saved view."""
    view = SavedView.objects.filter(pk=pk, user=request.user.pk).first()
    if view is None:
        raise NotFound()
    actions.remove_view(actor=request.user, view=view)
    said = _("The view “%(name)s” is gone. The rows are as they were.") % {"name": view.name}
    return go(request, said, _address(_list(view.list), ""))


# --- steps on many rows ---------------------------------------------------------------------------
def step_preview(request: HttpRequest, name: str, key: str) -> HttpResponse:
    """Show which of the ticked rows can take a step, and which cannot, with the reasons."""
    spec, asked = _list(name), request.GET
    step = _step(spec, key, request.user)
    keys = _chosen(spec, request.POST, asked, request.user)
    bulk.check_number(keys)
    checked = not step.asks_first or "checked" in request.POST
    form = _form(step, request.POST if checked else None)
    tried: list[bulk.Tried] = []
    if checked and form.is_valid():
        with refused_at(form):
            tried = bulk.try_out(step, actor=request.user, keys=keys, values=form.cleaned_data)
    return _page(request, spec, step, form, keys, tried, _safe_query(spec, asked))


@once
def step_do(request: HttpRequest, name: str, key: str) -> HttpResponse:
    """Do a step for all rows that were shown as possible, or for none."""
    spec = _list(name)
    step = _step(spec, key, request.user)
    query = _safe_query(spec, request.GET)
    keys = _numbers(request.POST.get("rows", "").split(","))
    bulk.check_number(keys)
    form = _form(step, request.POST)
    if form.is_valid():
        with refused_at(form):
            try:
                next_page = bulk.do_all(
                    step, actor=request.user, keys=keys, values=form.cleaned_data
                )
            except bulk.SomeCannot as refused:
                return _page(request, spec, step, form, keys, refused.tried, query, late=True)
            messages.success(request, step.done(len(keys)))
            return redirect(next_page or _address(spec, query))
    return _page(request, spec, step, form, keys, [], query)


def _step(spec: ListSpec, key: str, person: Any) -> bulk.BulkStep:
    """Return a step that finds only the rows that the person may see.

    Raises Denied to whom the step is not offered.
    """
    step = bulk.step_named(spec.name, key)
    authorize(person, step.permission)
    return replace(step, load=lambda keys: step.load(spec.readable_keys(keys, person)))


def _form(step: bulk.BulkStep, data: Any) -> forms.Form:
    return (step.form or forms.Form)(data)


def _numbers(typed: Sequence[str]) -> list[int]:
    found = (int(pk) for pk in typed if pk.isascii() and pk.isdecimal() and len(pk) < 18)
    return list(dict.fromkeys(found))


def _chosen(spec: ListSpec, sent: QueryDict, asked: QueryDict, person: Any) -> Sequence[int]:
    """Return the keys of the rows: those sent, or all that the address shows."""
    if "rows" in sent:
        return _numbers(str(sent["rows"]).split(","))
    if sent.get("all"):
        return keys_matching(spec, asked, person, most=bulk.MOST_AT_ONCE)
    return _numbers(sent.getlist("pk"))


def _safe_query(spec: ListSpec, data: QueryDict) -> str:
    form = spec.form_class(data)
    return query_of_view(form) if form.is_valid() else ""


def _page(
    request: HttpRequest,
    spec: ListSpec,
    step: bulk.BulkStep,
    form: forms.Form,
    keys: Sequence[int],
    tried: list[bulk.Tried],
    query: str,
    *,
    late: bool = False,
) -> HttpResponse:
    can = [row for row in tried if not row.why]
    tail = f"?{query}" if query else ""
    status = 409 if late else 400 if form.errors else 200
    return render(
        request,
        "base/lists/step.html",
        {
            "spec": spec,
            "step": step,
            "form": form,
            "asks": step.form is not None,
            "rows": ",".join(map(str, keys)),
            "number": spec.counted(len(keys)),
            "tried": tried,
            "can": can,
            "can_rows": ",".join(str(row.pk) for row in can),
            "cannot": [row for row in tried if row.why],
            "late": late,
            "button": step.button(len(can)),
            "back": _address(spec, query),
            "up": spec.route,
            "back_query": query,
            "preview": reverse("list-step", args=[spec.name, step.key]) + tail,
            "do": reverse("list-step-do", args=[spec.name, step.key]) + tail,
        },
        status=status,
    )
