"""Views of the reference answer's marks: a pass of its own through all lines."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from curation.base.web.forms import parse_int
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import BadInput
from curation.tasks.task.access import access_task
from curation.tasks.task.models import Task
from rubrics.lines.reference_mark_actions import mark_reference
from rubrics.versions.actions import open_version_of
from rubrics.versions.task_text import text_of
from rubrics.workbench.line_views import access_line
from rubrics.workbench.reference_queries import Pass, reference_pass


def reference(request: HttpRequest, pk: int) -> HttpResponse:
    """Show every line with the question whether the reference answer meets it."""
    task = access_task(request.user, pk, "rubric.refine")
    answer = _page(request, task, line=parse_int(request.GET.get("line")))
    answer["Cache-Control"] = "no-store"  # the back button must show the current marks
    return answer


def mark(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Mark a line TRUE or FALSE; the page's own script gets the parts that changed.

    Raises:
        BadInput: FALSE without a reason, where the page's own script asked.
        Conflict: the line was changed or removed since the page was loaded.
    """
    task, criterion = access_line(request, pk, line)
    try:
        mark_reference(
            actor=request.user,
            task=task,
            criterion=criterion,
            met=request.POST.get("met") == "1",
            why=request.POST.get("why", ""),
            seen=request.POST.get("version") or None,
        )
    except BadInput as refused:
        if wants_parts(request):
            raise
        return _page(
            request,
            task,
            line=line,
            typed={"pk": line, "why": request.POST.get("why", ""), "errors": refused.fields["why"]},
            status=400,
        )
    if wants_parts(request):
        found = reference_pass(task, open_version_of(task))
        context = {"task": task, "found": found, "v": found.view_of(line)}
        return render(request, "rubrics/parts/reference_marked.html", context)
    following = reference_pass(task, open_version_of(task)).following(line)
    return redirect(f"{reverse('rubric-reference', args=[task.pk])}?line={following}")


def _page(
    request: HttpRequest,
    task: Task,
    *,
    line: int | None,
    typed: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the pass, opened at a line, or at the first one that is not marked."""
    found: Pass = reference_pass(task, open_version_of(task))
    context = {
        "found": found,
        "task": text_of(task),
        "current": found.view_of(line) or found.first,
        "typed": typed,
        "tab": "answer" if request.GET.get("tab") != "task" else "task",
    }
    return render(request, "rubrics/reference.html", context, status=status)
