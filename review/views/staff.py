"""Steps of staff on an approved task, and a reviewer chosen by hand."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.access import access_task
from curation.errors import BadInput
from curation.models import User
from review.actions import assignment, spot_checks
from review.forms import AssignForm, ReasonForm


def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Put an approved task back to its author."""
    return _with_reason(
        request,
        pk,
        do=spot_checks.reopen,
        said=_("Reopened. The author has the rubric and your reason."),
        words={
            "title": _("Reopen this task"),
            "text": _(
                "The rubric goes back to its author with your reason, and through review again."
            ),
            "button": _("Reopen the task"),
        },
    )


def discard(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an approved task out of the benchmark."""
    return _with_reason(
        request,
        pk,
        do=spot_checks.discard,
        said=_("Discarded. The task can no longer be drawn."),
        words={
            "title": _("Discard this task"),
            "text": _(
                "The task leaves the benchmark for good. Releases that hold it keep their copy."
            ),
            "button": _("Discard the task"),
            "danger": True,
        },
    )


def _with_reason(
    request: HttpRequest, pk: int, *, do: Any, said: str, words: dict[str, Any]
) -> HttpResponse:
    task = access_task(request.user, pk, "review.administer")
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            do(actor=request.user, task=task, reason=form.cleaned_data["reason"])
        except BadInput as refused:
            form.blame(refused)
        else:
            messages.success(request, said)
            return redirect("staff-task", pk=task.pk)
    return render(
        request,
        "review/staff_step.html",
        {"task": task, "form": form, **words},
        status=400 if form.errors else 200,
    )


def assign(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a task in review a reviewer."""
    task = access_task(request.user, pk, "review.administer")
    people = list(assignment.eligible_reviewers(task))
    form = AssignForm(request.POST if request.method == "POST" else None, people)
    if request.method == "POST" and form.is_valid():
        reviewer = User.objects.get(pk=form.cleaned_data["reviewer"])
        assignment.assign(task=task, reviewer=reviewer, actor=request.user)
        messages.success(request, _("Assigned. The review is due in seven days."))
        return redirect("staff-task", pk=task.pk)
    return render(
        request,
        "review/staff_step.html",
        {
            "task": task,
            "form": form,
            "title": _("Assign a reviewer"),
            "text": _(
                "People of the domain without a seat on this task or a tie to its author; the "
                "number is their open reviews."
            ),
            "button": _("Assign"),
            "nobody": not people,
        },
        status=400 if form.errors else 200,
    )
