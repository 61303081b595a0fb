"""The author's page of drafts: the earlier ones, the one being written, a form for another."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.web.parts import to_reload
from curation.base.web.refusals import BadInput
from curation.base.web.step import go
from curation.tasks.task.access import access_task
from curation.tasks.task.models import Task
from judge.suggesting.drafts.actions import (
    REMARKS_LIMIT,
    ask_for_draft,
    begin_without_model,
    mark_seen,
)
from judge.suggesting.drafts.queries import drafting_of
from rubrics.versions.task_text import task_text


def drafts(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the drafts of a rubric with the form for another one, and take that form."""
    if request.method == "POST":
        return _ask(request, access_task(request.user, pk, "draft.ask"))
    task = access_task(request.user, pk, "draft.view")
    reply = _page(request, task)
    if allows(request.user, "draft.ask", task):
        mark_seen(task)
    return reply


def _ask(request: HttpRequest, task: Task) -> HttpResponse:
    way = request.POST.get("way", "")
    if way in ("rule", "nothing") and task.stage == Stage.DRAFTING:
        begin_without_model(actor=request.user, task=task, by_rule=way == "rule")
        return go(
            request,
            _("Your rubric is open. What the model still writes is kept beside it."),
            "rubric",
            task.pk,
        )
    try:
        ask_for_draft(
            actor=request.user,
            task=task,
            remarks=request.POST.get("remarks", ""),
            by_rule=way == "rule",
        )
    except BadInput as refusal:
        return _page(
            request,
            task,
            remarks=request.POST.get("remarks", ""),
            errors=[str(words) for words in refusal.fields.get("remarks", [refusal.detail])],
        )
    return go(
        request,
        _("Requested. You can go on working; your own lines stay as they are."),
        "rubric-drafts",
        task.pk,
    )


def _page(
    request: HttpRequest, task: Task, *, remarks: str = "", errors: list[str] | None = None
) -> HttpResponse:
    found = drafting_of(task)
    failed = found.last if found.last is not None and found.last.failure else None
    return render(
        request,
        "suggesting/drafts/drafts.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "is_author": allows(request.user, "draft.ask", task),
            "is_open": task.stage == Stage.REFINING,
            "found": found,
            "failed": failed,
            "at": "page",
            "remarks": remarks or (failed.remarks if failed else ""),
            "errors": errors or [],
            "limit": REMARKS_LIMIT,
        },
        status=400 if errors else 200,
    )


def drafts_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fragment that shows the progress of a draft; 204 while nothing has changed.

    It is part of the page of drafts (`at=page`), of the workbench (`at=bench`) and of the page
    that waits for the first draft (`at=read`).
    """
    task = access_task(request.user, pk, "draft.ask")
    at = request.GET.get("at", "page")
    found = drafting_of(task)
    seen = request.GET.get("seen")
    if seen == found.token:
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "task": task_text(task.pk),
        "found": found,
        # Show the end to a page that followed the draft, even if another tab has shown it.
        "news": found.news or (seen is not None and found.progress is None and found.last),
        "failed": found.last if found.last is not None and found.last.failure else None,
        "at": at if at in ("page", "bench", "read") else "page",
    }
    reply = render(request, "rubrics/parts/drafting.html", context)
    if seen is not None and found.progress is None and context["at"] != "bench":
        return to_reload(reply)  # other parts of the page have changed too
    return reply
