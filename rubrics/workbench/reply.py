"""What a step on the rubric is answered with.

A browser without scripts is sent back to the page. The page's own script says which lines it has,
and gets what is different now: those lines, the order of all, and the parts around them.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from curation.tasks.models import Task
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion, LineChange
from rubrics.workbench import views as workbench


def to_line(request: HttpRequest, task: Task, line: Criterion | None, **query: Any) -> HttpResponse:
    """Back to the workbench, opened at a line, after a step that was taken.

    Args:
        query: chosen: ids of the lines that stay chosen, joined by dots; split: ask where.
    """
    url = workbench.address(task, line, **query)
    if workbench.wants_parts(request) and "split" not in query:
        return workbench.show(
            request,
            task,
            open_version_of(task),
            line=line.pk if line else None,
            chosen=workbench.ids(query.get("chosen", "")),
            url=url,
        )
    return redirect(url)


def undo_tag(task: Task, change: LineChange | None) -> str:
    """What makes a toast offer to undo a step."""
    if change is None:
        return ""
    return "undo=" + reverse("rubric-line-restore", args=[task.pk, change.pk])


def to_page(request: HttpRequest, url: str) -> HttpResponse:
    """On to another page; the page's own script goes there itself, without loading it twice."""
    if workbench.wants_parts(request):
        return HttpResponse(status=204, headers={"X-Go": url})
    return redirect(url)
