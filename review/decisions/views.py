"""Views of a senior's decisions on the lines that the rounds left open."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task, kept_off
from review.decisions import actions
from review.decisions.models import LineDecision
from review.decisions.queries import decision_page
from review.spot_checks.actions import reviewed_version
from review.web import wording
from rubrics.policy.dimensions import Importance, dimension_choices
from rubrics.versions.models import Criterion


def take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the decision on a task."""
    user: Any = request.user
    task = Task.objects.filter(pk=pk, domain_id__in=user.senior_domain_ids()).first()
    if task is None or user.pk in kept_off(task):
        # A refusal with its reason would reveal the author to a person in conflict with them.
        raise NotFound()
    actions.take_decision(actor=user, task=task)
    return redirect("decision", pk=task.pk)


def decision(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the open lines with both sides' remarks and the senior's decisions."""
    rows = Task.objects.select_related("domain", "category", "review_terms")
    task = access_task(request.user, pk, "decision.decide", rows=rows)
    return _show(request, task)


def _show(
    request: HttpRequest,
    task: Task,
    *,
    line: int | None = None,
    typed: Mapping[str, Any] | None = None,
    errors: Mapping[str, list[Any]] | None = None,
    status: int = 200,
) -> HttpResponse:
    if task.stage != Stage.DECIDING:
        raise Conflict(
            _("This task is not waiting for a senior's decision."),
            code="wrong_stage",
            page=reverse("rubric", args=[task.pk]),
        )
    page = decision_page(task, reviewed_version(task))
    current = page.line(line or parse_int(request.GET.get("line"))) or page.first_open()
    current = current or next(iter(page.lines), None)
    given = current.decision if current else None
    values = {
        "outcome": given.outcome if given else "",
        "suggestion": given.suggestion_id if given else None,
        "reason": given.reason if given else "",
    }
    return render(
        request,
        "decisions/decision.html",
        {
            "page": page,
            "task": page.task,
            "current": current,
            "before": page.beside(current.pk, -1) if current else None,
            "behind": page.beside(current.pk, 1) if current else None,
            "typed": values | dict(typed or {}),
            "wording": _wording(current, given, typed),
            "errors": errors or {},
            "early": "early" in request.GET and page.undecided,
            "importances": Importance.choices,
            "dimensions": dimension_choices(skill=page.task.is_skill),
            "tab": "answer" if request.GET.get("tab") == "answer" else "task",
        },
        status=status,
    )


def _wording(current: Any, given: Any, typed: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the values of the fields for the senior's own wording."""
    if current is None:
        return {}
    shown = given if given and given.outcome == LineDecision.Outcome.OWN else current.content
    names = ("text", "importance", "weight", "dimension")
    return {name: (typed or {}).get(f"suggest_{name}", getattr(shown, name)) for name in names}


def line(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Decide one line and open the next undecided one."""
    task = access_task(request.user, pk, "decision.decide")
    criterion = Criterion.objects.filter(pk=line, version__task=task).first()
    if criterion is None:
        raise NotFound()
    outcome, __, suggestion = request.POST.get("outcome", "").partition(":")
    try:
        actions.decide_line(
            actor=request.user,
            task=task,
            criterion=criterion,
            outcome=outcome,
            suggestion=parse_int(suggestion),
            reason=request.POST.get("reason", ""),
            wording=wording(request.POST),
        )
    except BadInput as refused:
        typed = {**request.POST.dict(), "outcome": outcome, "suggestion": parse_int(suggestion)}
        return _show(request, task, line=line, typed=typed, errors=refused.fields, status=400)
    except Conflict as refused:
        refused.data.setdefault("kept", request.POST.get("reason", ""))
        raise
    page = decision_page(task, reviewed_version(task))
    following = page.first_open(after=criterion.pk)
    at = following.pk if following else criterion.pk
    return go(
        request,
        _("Decided. You can change it until the task goes on."),
        f"{reverse('decision', args=[task.pk])}?line={at}#line-{at}",
    )


def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close the decisions, or go to the first undecided line."""
    task = access_task(request.user, pk, "decision.decide")
    try:
        actions.close_decisions(actor=request.user, task=task)
    except BadInput as refused:
        if refused.code != "lines_open":
            return _show(request, task, errors={"page": [refused.detail]}, status=400)
        at = refused.data["lines"][0]
        url = reverse("decision", args=[task.pk])
        return redirect(f"{url}?line={at}&early=1#line-{at}")
    return go(
        request,
        _("Decided. Author and reviewers read your reasons, and the task goes on."),
        "spot-checks",
    )
