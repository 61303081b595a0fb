"""Views of staff's steps on a task, each with a reason, and of assigning a reviewer."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import Conflict, shown_at
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User
from curation.tasks.task.queries import access_task
from review.conflicts.queries import kept_off
from review.decisions import actions as decision_actions
from review.policy.actions import terms_of
from review.rounds import assignment_actions as assignment_actions
from review.rounds.assignment_views import AssignForm
from review.senior_seats.models import seniors_with_the_seat
from review.spot_checks import actions as spot_check_actions
from review.staff import taking_back


def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Return an approved task to its author."""
    return _with_reason(
        request,
        pk,
        do=spot_check_actions.reopen,
        possible=spot_check_actions.check_reopenable,
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
        do=spot_check_actions.discard,
        possible=spot_check_actions.check_discardable,
        said=_("Discarded. The task can no longer be drawn."),
        words={
            "title": _("Discard this task"),
            "text": _("The task leaves the benchmark. Releases that hold it keep their copy."),
            "button": _("Discard the task"),
            "danger": True,
        },
    )


def one_more_round(request: HttpRequest, pk: int) -> HttpResponse:
    """Give author and reviewers one more round instead of a senior's decision."""
    return _with_reason(
        request,
        pk,
        do=decision_actions.one_more_round,
        possible=decision_actions.check_deciding,
        said=_("The rubric is with its author again; one more round follows."),
        words={
            "title": _("Give them one more round"),
            "text": _(
                "The rubric goes back to its author with your reason. If lines are open after the "
                "next round, a senior decides."
            ),
            "button": _("Give one more round"),
        },
    )


def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a rejection, a withdrawal or a discard back."""
    return _with_reason(
        request,
        pk,
        do=taking_back.take_back,
        possible=taking_back.stage_before,
        said=_("Taken back. The author has your reason."),
        words={
            "title": _("Take this back"),
            "text": _(
                "The task returns to the stage it came from; its slot and its people stay. A "
                "rejected prompt is voted on again, a discarded rubric waits for another senior."
            ),
            "button": _("Take it back"),
        },
    )


def release_spot_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Release a spot check or a decision from the senior who holds it."""

    def holder(task: Any) -> User:
        senior = User.objects.filter(pk__in=seniors_with_the_seat(task)).first()
        if senior is None:
            raise Conflict(_("No senior has this task now."), code="wrong_stage")
        return senior

    def release(*, actor: Any, task: Any, reason: str) -> None:
        senior = holder(task)
        spot_check_actions.release_spot_check(actor=actor, task=task, senior=senior, reason=reason)

    return _with_reason(
        request,
        pk,
        do=release,
        possible=holder,
        said=_("Taken back. Another senior of the domain can take it now."),
        words={
            "title": _("Take this task back from its senior"),
            "text": _("It returns to the seniors of the domain, and another one can take it."),
            "button": _("Take it back"),
            "danger": True,
        },
    )


def _with_reason(
    request: HttpRequest,
    pk: int,
    *,
    do: Any,
    said: str,
    words: dict[str, Any],
    possible: Any,
) -> HttpResponse:
    task = access_task(request.user, pk, "task.oversee")
    task_url = reverse("staff-task", args=[task.pk])
    with shown_at(task_url):
        possible(task)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            with shown_at(task_url):
                do(actor=request.user, task=task, reason=form.cleaned_data["reason"])
            return go(request, said, "staff-task", task.pk)
    return render(
        request,
        "review/staff_step.html",
        {"task": task, "form": form, **words},
        status=status_of(form),
    )


def assign(request: HttpRequest, pk: int) -> HttpResponse:
    """Assign a reviewer to a task in review."""
    task = access_task(request.user, pk, "task.oversee")
    people = list(assignment_actions.eligible_reviewers(task))
    form = AssignForm(request.POST if request.method == "POST" else None, people)
    if request.method == "POST" and form.is_valid():
        reviewer = User.objects.get(pk=form.cleaned_data["reviewer"])
        with shown_at(reverse("staff-task", args=[task.pk])):
            assignment_actions.assign(task=task, reviewer=reviewer, actor=request.user)
        days = terms_of(task).days
        return go(
            request,
            ngettext(
                "Assigned. The review is due in %(n)s day.",
                "Assigned. The review is due in %(n)s days.",
                days,
            )
            % {"n": days},
            "staff-task",
            task.pk,
        )
    return render(
        request,
        "review/staff_step.html",
        {
            "task": task,
            "form": form,
            "title": _("Assign a reviewer"),
            "text": _(
                "Experts in the domain with no seat on this task and no conflict of interest "
                "with its author, the least busy first."
            ),
            "button": _("Assign"),
            "nobody": not people,
            "kept_off": kept_off(task.author or task.rubric_author, task.domain_id),
        },
        status=status_of(form),
    )
