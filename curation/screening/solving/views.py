"""Pages of a solver: write an own answer, then compare it with the author's."""

import math
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import Conflict, NotFound, shown_at
from curation.base.web.step import go, refused_at, status_of
from curation.screening.solving import actions
from curation.screening.solving.forms import SolveForm, VerdictForm
from curation.screening.solving.queries import solve_page
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task


def _task(request: HttpRequest, pk: int) -> Task:
    """Load the task for its solver without its texts; the page selects what may be shown."""
    rows = Task.objects.defer(*TEXT_PARTS)
    return access_task(request.user, pk, "task.solve", rows=rows)  # type: ignore[no-any-return]


def solve(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the solver's page; a POST hands in the own answer."""
    task = _task(request, pk)
    form = SolveForm()
    if request.method == "GET":
        actions.begin_solve(actor=request.user, task=task)
    elif request.method == "POST":
        form = SolveForm(request.POST)
        form.is_valid()
        typed = form.cleaned_data.get("answer", "")
        try:
            with refused_at(form):
                actions.hand_in(actor=request.user, task=task, answer=typed)
                return go(
                    request, _("Your answer is in. Now compare it with the author's."),
                    "solve", task.pk,
                )  # fmt: skip
        except Conflict as late:
            return _page(request, task, late=late, typed=typed, status=late.status)
    return _page(request, task, own=form, status=status_of(form))


def solve_look(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the author's answer and steps instead of taking an own answer."""
    task = _task(request, pk)
    with shown_at(reverse("solve", args=[pk])):
        actions.look_at_steps(actor=request.user, task=task)
    return go(
        request,
        _("You see the steps now, so this counts as a verification, not as a solve."),
        "solve",
        task.pk,
    )


def solve_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the verdict: right and the only answer, wrong, or unclear, with the reason."""
    task = _task(request, pk)
    form = VerdictForm(request.POST)
    form.is_valid()
    typed = form.cleaned_data.get("remarks", "")
    try:
        with refused_at(form):
            actions.decide_solve(
                actor=request.user,
                task=task,
                verdict=form.cleaned_data.get("verdict", ""),
                remarks=typed,
            )
            task.refresh_from_db(fields=["stage"])
            return go(request, _after(task), "solve", task.pk)
    except Conflict as late:
        return _page(request, task, late=late, typed=typed, status=late.status)
    return _page(request, task, verdict=form, status=400)


def _after(task: Task) -> str:
    if task.stage == Stage.SCREENING:
        return _("Noted. The panel decides when both solvers and all votes are in.")
    if task.stage == Stage.DRAFT:
        return _("Noted. The task goes back to its author with what the solvers wrote.")
    return _("Noted. The panel has decided on the task.")


def _page(
    request: HttpRequest,
    task: Task,
    *,
    own: SolveForm | None = None,
    verdict: VerdictForm | None = None,
    late: Conflict | None = None,
    typed: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the page as it stands now."""
    page = solve_page(request.user, task.pk)
    if page is None:
        raise NotFound()
    now = timezone.now()
    left = (page.mark_at - now).total_seconds() if page.mark_at else 0.0
    context: dict[str, Any] = {
        "page": page,
        "stage_label": Stage(page.stage).label,
        "own": own or SolveForm(),
        "verdict": verdict or VerdictForm(),
        "form": verdict or own,
        "ended": str(late.detail) if late else "",
        "typed": typed if late else "",
        "past_mark": page.mark_at is not None and left <= 0,
        "until_mark": max(1, math.ceil(left)),
        "so_far": (now - page.started_at).total_seconds() if page.started_at else None,
    }
    template = (
        "screening/solving/parts.html" if wants_parts(request) else "screening/solving/solve.html"
    )
    answer = render(request, template, context, status=status)
    answer["Cache-Control"] = "no-store"
    return answer
