"""Pages of the agreement among experts: figures, disputed lines of a task, rulings."""

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.roles import Role
from curation.base.web import csv_export
from curation.base.web.forms import query_of, read_filter
from curation.base.web.refusals import BadInput, Conflict, Denied, NotFound
from curation.base.web.step import go
from curation.joining.domains.forms import domain_filter
from curation.tasks.task.models import Task
from curation.tasks.task.queries import seat_role
from judge.scoring.agreement import actions, disputes, queries
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.units import has_free_senior, tasks_open_to

KINDS = Adjudication.Kind.choices


class AgreementFilter(forms.Form):
    """The kind of verdicts, the domain and the page to show."""

    kind = forms.ChoiceField(choices=KINDS, required=False, widget=forms.HiddenInput)
    domain = domain_filter(external=True)
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or Adjudication.Kind.REVIEW.value


class RulingForm(forms.Form):
    """A ruling on one disputed line; the action checks what is missing."""

    kind = forms.ChoiceField(choices=KINDS)
    criterion = forms.IntegerField(min_value=1)
    response = forms.IntegerField(min_value=0, required=False)
    seen = forms.IntegerField(min_value=0)
    ruling = forms.CharField(required=False, label=gettext_lazy("Ruling"))
    reason = forms.CharField(required=False, strip=False, label=gettext_lazy("Reason"))

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `settle`."""
        data = self.cleaned_data
        return {**data, "response": data["response"] or None}


TASKS_ON_A_PAGE = 50


def agreement(request: HttpRequest) -> HttpResponse:
    """Show how far people who judged the same lines agree."""
    form = read_filter(AgreementFilter, request.GET)
    wanted = form.cleaned_data
    found = queries.report(request.user, wanted["kind"], wanted["domain"])
    return render(
        request,
        "scoring/agreement/report.html",
        {
            "form": form,
            "found": found,
            "page": Paginator(found.tasks, TASKS_ON_A_PAGE).get_page(wanted["page"]),
            "kinds": KINDS,
            "query": query_of(request.GET.dict()),
        },
    )


def agreement_csv(request: HttpRequest) -> HttpResponseBase:
    """Download the figures of both kinds as CSV, one group per row."""
    wanted = read_filter(AgreementFilter, request.GET).cleaned_data
    rows = (
        row
        for kind, _label in KINDS
        for row in queries.report(request.user, kind, wanted["domain"]).cells()
    )
    name = f"agreement-{timezone.localdate():%Y-%m-%d}.csv"
    return csv_export.download(name, queries.HEAD, rows)


def agreement_task(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the figures of one task, and its disputed lines to people who may read them."""
    return _show(request, _readable(request.user, pk))


def _readable(user: Any, pk: int) -> Task:
    """Return the task; one whose agreement the person may not read looks like a missing one."""
    task = tasks_open_to(user).select_related("domain").filter(pk=pk).first()
    if task is None:
        raise NotFound()
    return task


def _may_read_lines(user: Any, task: Task) -> bool:
    """Return whether the person may read the disputed lines.

    Staff may. A senior may once they hold the adjudicator's seat, which rules out judging later.
    """
    return bool(user.is_staff) or seat_role(user, task) == Role.ADJUDICATOR


def _show(
    request: HttpRequest,
    task: Task,
    *,
    typed: dict[str, Any] | None = None,
    errors: dict[str, list[Any]] | None = None,
    status: int = 200,
) -> HttpResponse:
    found = disputes.parts(task, with_lines=_may_read_lines(request.user, task))
    if not found:
        raise NotFound()
    settles = seat_role(request.user, task) == Role.ADJUDICATOR
    return render(
        request,
        "scoring/agreement/task.html",
        {
            "task": task,
            "parts": found,
            "answers": disputes.answers(found),
            "reads": _may_read_lines(request.user, task),
            "settles": settles,
            "may_take": not settles
            and any(part.row.disputed for part in found)
            and _eligible(request.user, task),
            "nobody_free": request.user.is_staff  # type: ignore[union-attr]
            and any(part.row.open for part in found)
            and not task.domain.external
            and not has_free_senior(task),
            "typed": typed or {},
            "errors": errors or {},
        },
        status=status,
    )


def _eligible(user: Any, task: Task) -> bool:
    try:
        actions.check_eligible(user, task)
    except Denied:
        return False
    return True


def agreement_lines(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Download the disputed lines of a task as CSV, one opinion per row."""
    task = _readable(request.user, pk)
    if not _may_read_lines(request.user, task):
        raise Denied(
            _(
                "Take the adjudication first: somebody who reads these lines can judge no "
                "others on this task."
            )
        )
    found = disputes.parts(task, with_lines=True)
    return csv_export.download(f"disputes-{task.pk}.csv", disputes.HEAD, disputes.cells(found))


def agreement_take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the adjudicator's seat."""
    task = _readable(request.user, pk)
    actions.take_adjudication(actor=request.user, task=task)
    return go(
        request,
        _("The disputed lines are open. Your rulings stay on record."),
        "agreement-task",
        task.pk,
    )


def agreement_settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Rule on one disputed line."""
    task = _readable(request.user, pk)
    form = RulingForm(request.POST)
    if not form.is_valid():
        raise BadInput(fields={name: list(messages) for name, messages in form.errors.items()})
    values = form.values()
    try:
        actions.settle(actor=request.user, task=task, **values)
    except BadInput as refused:
        return _show(
            request,
            task,
            typed={
                **values,
                "name": f"{values['kind']}-{values['criterion']}-{values['response'] or 0}",
            },
            errors=refused.fields,
            status=400,
        )
    except Conflict as refused:
        refused.data.setdefault("kept", values["reason"])
        raise
    return go(
        request,
        _("Your ruling is on record. What both sides wrote stays as it was."),
        reverse("agreement-task", args=[task.pk]) + "#disputes",
    )
