"""Views of the linter's marks: setting aside, reopening, a model's opinion, staff's record."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.web.parts import to_reload, wants_parts
from curation.base.web.refusals import BadInput, Conflict
from curation.base.web.step import go
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.marks import model_opinions
from rubrics.marks.actions import ask_again, set_aside
from rubrics.marks.record import record_of_rules
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion
from rubrics.workbench import views
from rubrics.workbench.line_views import access_line, save_or_error_page
from rubrics.workbench.reply import to_line


def line_mark(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Set a mark of a line aside or reopen it, after saving what was typed."""
    task, criterion = access_line(request, pk, line)
    shown = save_or_error_page(request, task, criterion)
    if shown is not None:
        return shown
    criterion.refresh_from_db()
    return _decide(request, task, criterion) or to_line(request, task, criterion)


def rubric_mark(request: HttpRequest, pk: int) -> HttpResponse:
    """POST: set a mark of the whole rubric aside or reopen it. GET: what new marks change."""
    task = access_task(request.user, pk, "rubric.refine")
    if request.method == "GET":
        if not wants_parts(request):
            return redirect(reverse("rubric", args=[task.pk]) + "#lint")
        try:
            version = open_version_of(task)
        except Conflict:  # it was sent from another tab
            return to_reload(HttpResponse())
        return views.marks(request, task, version)
    return _decide(request, task, None) or to_line(request, task, None)


def _decide(request: HttpRequest, task: Task, criterion: Criterion | None) -> HttpResponse | None:
    """Set aside or reopen; return an error page if the reason cannot be stored, else None."""
    again, token = request.POST.get("unmark", ""), request.POST.get("mark", "")
    if again:
        ask_again(actor=request.user, task=task, criterion=criterion, token=again)
        messages.success(request, _("The mark is back."))
        return None
    reason = request.POST.get(f"because-{token}", "")
    try:
        set_aside(actor=request.user, task=task, criterion=criterion, token=token, reason=reason)
    except BadInput as refused:
        return views.show(
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
    """POST: have a model read the lines in the background. GET: say whether it has finished.

    The page polls every few seconds. The reply is a link rather than a reload, so that nobody
    loses what they are typing.
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
    """Show staff how often each rule fires in sent rubrics and how often it is set aside."""
    return render(request, "marks/marks.html", {"rules": record_of_rules()})
