"""Responses to a step on the rubric.

A browser without scripts is redirected to the page. The page's own script says which lines it
has and gets what changed: those lines, the order of all, and the parts around them.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from curation.tasks.task.models import Task
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion, LineChange
from rubrics.workbench import views


def to_line(request: HttpRequest, task: Task, line: Criterion | None, **query: Any) -> HttpResponse:
    """Return to the workbench, opened at a line, after a step.

    Args:
        query: `chosen`: ids of the lines that stay selected, joined by dots; `split`: ask where
            to split.
    """
    url = views.address(task, line, **query)
    if views.wants_step(request) and "split" not in query:
        return views.show(
            request,
            task,
            open_version_of(task),
            line=line.pk if line else None,
            chosen=views.ids(query.get("chosen", "")),
            url=url,
        )
    return redirect(url)


def undo_tag(task: Task, change: LineChange | None) -> str:
    """Return the message tag that makes a toast offer to undo a step."""
    if change is None:
        return ""
    return "undo=" + reverse("rubric-line-restore", args=[task.pk, change.pk])


def to_page(request: HttpRequest, url: str) -> HttpResponse:
    """Go to another page; the page's own script follows the X-Go header instead of a redirect."""
    if views.wants_step(request):
        return HttpResponse(status=204, headers={"X-Go": url})
    return redirect(url)
