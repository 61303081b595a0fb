"""Staff's pages of tasks from business: the list, a new one, its record, its de-identification."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.web.forms import read_filter
from curation.base.web.once import once
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.business import actions, queries
from curation.tasks.business.access import access_check, access_collected
from curation.tasks.business.forms import (
    ChangeRecordForm,
    ChecklistForm,
    CollectedFilter,
    NewCollectedForm,
    SendBackForm,
)
from curation.tasks.task.models import Task

ON_A_PAGE = 50


def business(request: HttpRequest) -> HttpResponse:
    """List the collected tasks, newest first."""
    wanted = read_filter(CollectedFilter, request.GET).cleaned_data
    rows = queries.collected_rows()
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    shown = list(rows.filter(pk__in=page.rows))
    return render(request, "tasks/business/list.html", {"rows": shown, "page": page, "query": ""})


@once
def business_new(request: HttpRequest) -> HttpResponse:
    """Enter a task from business with its owner's permission; its text follows in the editor."""
    form = NewCollectedForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            values = form.cleaned_data
            task = actions.enter_task(
                actor=request.user,
                domain=values["domain"],
                record=form.record(),
                hourly_rate=values["hourly_rate"],
                title=values["title"],
                minutes=values["minutes"],
            )
            return go(
                request,
                _("Entered. Write the text next, without anything that tells whose case it is."),
                "task-edit",
                task.pk,
            )
    return render(request, "tasks/business/new.html", {"form": form}, status=status_of(form))


def business_task(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the record of a collected task and its de-identification; a POST ticks the list."""
    task = access_collected(request.user, pk)
    form = ChecklistForm(request.POST or None, initial={"version": task.version})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.check_deidentified(
                actor=request.user,
                task=task,
                version=form.cleaned_data["version"],
                note=form.cleaned_data["note"],
                **form.checked(),
            )
            return go(
                request,
                _("Noted. A colleague goes through the text too, and confirms it."),
                "business-task",
                task.pk,
            )
    return _task_page(request, task, form, SendBackForm(), status=status_of(form))


def _task_page(
    request: HttpRequest, task: Task, form: Any, send_back: Any, *, status: int
) -> HttpResponse:
    check = queries.check_state(task)
    context = {
        "task": task,
        "record": task.collection,
        "form": form,
        "send_back": send_back,
        "check": check,
        "can_confirm": check.waits
        and allows(request.user, "deidentification.confirm", check.latest),
        "is_draft": task.stage == Stage.DRAFT,
        "candidates": queries.candidates(task),
        "texts": queries.texts(task),
    }
    return render(request, "tasks/business/task.html", context, status=status)


def business_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the record of a collected task."""
    task = access_collected(request.user, pk)
    form = ChangeRecordForm.of(task, request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.change_record(
                actor=request.user,
                task=task,
                version=form.cleaned_data["version"],
                record=form.record(),
                hourly_rate=form.cleaned_data["hourly_rate"],
            )
            return go(request, _("Saved."), "business-task", task.pk)
    context = {"task": task, "form": form}
    return render(request, "tasks/business/record.html", context, status=status_of(form))


def business_confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm a check of de-identification as the second person."""
    check = access_check(request.user, pk)
    actions.confirm_deidentified(actor=request.user, check=check)
    return go(
        request,
        _("Confirmed. The task can be submitted for screening."),
        "business-task",
        check.task_id,
    )


def business_send_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a check of de-identification back with a reason."""
    check = access_check(request.user, pk)
    form = SendBackForm(request.POST)
    form.is_valid()
    with refused_at(form):
        actions.send_deidentification_back(
            actor=request.user, check=check, reason=form.cleaned_data.get("reason", "")
        )
        return go(
            request,
            _("Returned. The person who writes the text sees why."),
            "business-task",
            check.task_id,
        )
    task = access_collected(request.user, check.task_id)
    blank = ChecklistForm(initial={"version": task.version})
    return _task_page(request, task, blank, form, status=400)
