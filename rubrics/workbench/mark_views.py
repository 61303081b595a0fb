"""Marks of the linter: set aside, asked again; a model asked; and what staff see of it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.tasks.access import access_task
from curation.tasks.models import Task
from curation.web.refusals import BadInput
from curation.web.step import go
from rubrics.marks import model_opinions
from rubrics.marks.actions import ask_again, set_aside
from rubrics.marks.record import record_of_rules
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion
from rubrics.workbench import views as workbench
from rubrics.workbench.line_views import access_line, keep_or_show
from rubrics.workbench.reply import to_line


def line_mark(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Set a mark of a line aside, or ask it again, after keeping what was typed."""
    task, criterion = access_line(request, pk, line)
    shown = keep_or_show(request, task, criterion)
    if shown is not None:
        return shown
    criterion.refresh_from_db()
    return _decide(request, task, criterion) or to_line(request, task, criterion)


def rubric_mark(request: HttpRequest, pk: int) -> HttpResponse:
    """The same for a mark of the whole rubric."""
    task = access_task(request.user, pk, "rubric.refine")
    return _decide(request, task, None) or to_line(request, task, None)


def _decide(request: HttpRequest, task: Task, criterion: Criterion | None) -> HttpResponse | None:
    """Do it; the page with everything typed where the reason cannot be stored."""
    again, token = request.POST.get("unmark", ""), request.POST.get("mark", "")
    if again:
        ask_again(actor=request.user, task=task, criterion=criterion, token=again)
        messages.success(request, _("The mark stands again."))
        return None
    reason = request.POST.get(f"because-{token}", "")
    try:
        set_aside(actor=request.user, task=task, criterion=criterion, token=token, reason=reason)
    except BadInput as refused:
        return workbench.show(
            request,
            task,
            open_version_of(task),
            line=criterion.pk if criterion else None,
            typed={"because": reason, "because_of": token},
            refusal=" ".join(str(m) for ms in refused.fields.values() for m in ms),
            status=400,
        )
    messages.success(request, _("Noted. Your reviewer reads the reason."))
    return None


def ask_model(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a model read the lines, in the background; asked with GET, whether it has.

    The page asks every few seconds. It is not torn from whoever is typing: the answer is a link.
    """
    task: Any = access_task(request.user, pk, "rubric.refine")
    if request.method == "GET":
        if model_opinions.reading(task.pk).state == "waiting":
            return HttpResponse(status=204)
        return render(request, "rubrics/parts/opinion_ended.html", {"task_pk": task.pk})
    model_opinions.ask(actor=request.user, task=task)
    return go(
        request,
        _("A model is reading your lines. What it says appears on them in a minute or so."),
        reverse("rubric", args=[task.pk]) + "#lint",
    )


def staff_marks(request: HttpRequest) -> HttpResponse:
    """How often each rule fires in rubrics that were sent, and how often it is overruled."""
    return render(request, "marks/marks.html", {"rules": record_of_rules()})
