"""Pages of re-verification: the list, one request with its answer, staff's request."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.permissions import allows
from curation.base.web.fields import DayField
from curation.base.web.forms import query_of, read_filter, reason_field
from curation.base.web.once import ReadVersionField, once
from curation.base.web.optional_urls import url_or_empty
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.business import reverification_actions as actions
from curation.tasks.business import reverification_queries as queries
from curation.tasks.business.reverification_access import access_reverification
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.fields import TEXT_PARTS, label_of
from curation.tasks.task.queries import access_task


class AnswerForm(forms.Form):
    """What an expert found."""

    version = ReadVersionField()
    outcome = forms.ChoiceField(
        label=gettext_lazy("The reference answer"),
        choices=[
            ("holds", gettext_lazy("It still holds")),
            ("changed", gettext_lazy("It has changed: I propose an amendment next")),
        ],
        widget=forms.RadioSelect,
    )
    valid_until = DayField(
        label=gettext_lazy("It surely holds until"),
        help_text=gettext_lazy("If it has changed: until when the amended answer will hold."),
    )
    finding = reason_field(
        gettext_lazy("What you looked at, or what has changed"),
        help_text=gettext_lazy("Name the source."),
        rows=3,
    )


class AskForm(forms.Form):
    """Why a task has to be verified again."""

    reason = reason_field(help_text=gettext_lazy("The expert reads it."), rows=3)


class CancelForm(forms.Form):
    """Why a request is not needed any more."""

    reason = reason_field(rows=2)


class ReverificationFilter(forms.Form):
    """Narrow the list to requests in one state."""

    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[("", gettext_lazy("All")), *Reverification.State.choices],
    )
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


ON_A_PAGE = 50


def reverifications(request: HttpRequest) -> HttpResponse:
    """List what an expert took or may take; for staff everything, and what has expired."""
    form = read_filter(ReverificationFilter, request.GET)
    wanted = form.cleaned_data
    rows = queries.reverifications_for(request.user)
    if wanted["state"]:
        rows = rows.filter(state=wanted["state"])
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    is_staff = request.user.is_staff
    context = {
        "form": form,
        "page": page,
        "rows": list(rows.filter(pk__in=page.rows)),
        "query": query_of({"state": wanted["state"]}),
        "expired": queries.expired_tasks().count() if is_staff else 0,
    }
    return render(request, "tasks/reverification/list.html", context)


def reverification(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a request with the task's text; a POST answers it."""
    needed = "reverification.answer" if request.method == "POST" else "reverification.view"
    row = access_reverification(request.user, pk, needed)
    form = AnswerForm(request.POST or None, initial={"version": row.task.version})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            values = form.cleaned_data
            given: dict[str, Any] = {
                name: values[name] for name in ("version", "valid_until", "finding")
            }
            if values["outcome"] == "holds":
                actions.confirm_answer(actor=request.user, row=row, **given)
                return go(request, _("Noted. Thank you."), "reverification", row.pk)
            actions.report_change(actor=request.user, row=row, **given)
            return go(
                request,
                _("Noted. Correct the text next; a senior of the domain decides."),
                url_or_empty("task-amend", row.task_id),
            )
    return _page(request, row, form, CancelForm(), status=status_of(form))


def _page(
    request: HttpRequest, row: Reverification, form: Any, cancel: Any, *, status: int
) -> HttpResponse:
    State = Reverification.State  # noqa: N806  a class
    user = request.user
    task = row.task
    # Before it is taken, an expert sees what it is about, not the answer: reading it is a role.
    may_read = row.expert_id == user.pk or allows(user, "task.view", task)
    context = {
        "row": row,
        "task": task,
        "form": form,
        "cancel": cancel,
        "may_read": may_read,
        "parts": [(label_of(n), getattr(task, n)) for n in TEXT_PARTS] if may_read else [],
        "can_take": allows(user, "reverification.take", row),
        "can_answer": row.state == State.TAKEN and row.expert_id == user.pk,
        "can_amend": row.state == State.AMENDING and row.expert_id == user.pk,
        "can_cancel": row.state in Reverification.OPEN_STATES
        and allows(user, "reverification.administer", row),
    }
    return render(request, "tasks/reverification/one.html", context, status=status)


def reverification_take(request: HttpRequest, pk: int) -> HttpResponse:
    row = access_reverification(request.user, pk, "reverification.take")
    actions.take_reverification(actor=request.user, row=row)
    return go(request, _("It is yours. Read the text, then answer."), "reverification", row.pk)


def reverification_hand_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand a request back to the colleagues."""
    row = access_reverification(request.user, pk, "reverification.answer")
    actions.hand_back_reverification(actor=request.user, row=row)
    return go(request, _("Handed back. A colleague can take it."), "reverifications")


def reverification_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel a request with a reason."""
    row = access_reverification(request.user, pk, "reverification.administer")
    form = CancelForm(request.POST)
    form.is_valid()
    with refused_at(form):
        actions.cancel_reverification(
            actor=request.user, row=row, reason=form.cleaned_data.get("reason", "")
        )
        return go(request, _("Cancelled."), "reverifications")
    blank = AnswerForm(initial={"version": row.task.version})
    return _page(request, row, blank, form, status=400)


@once
def task_reverify(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the experts of a domain to verify a dynamic answer again."""
    task = access_task(request.user, pk, "task.oversee")
    form = AskForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            row = actions.ask_for_reverification(
                actor=request.user, task=task, reason=form.cleaned_data["reason"]
            )
            return go(request, _("The experts of the domain are asked."), "reverification", row.pk)
    context = {"task": task, "form": form, "latest": queries.latest_of(task)}
    return render(request, "tasks/reverification/ask.html", context, status=status_of(form))
