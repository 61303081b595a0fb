"""Pages about a whole rubric: workbench or read view, and sending."""

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.access import access_task, allows
from curation.errors import BadInput
from curation.lifecycle import Stage
from curation.models import Task
from rubrics import actions, balance, queries
from rubrics.actions.versions import open_version_of
from rubrics.forms import whole
from rubrics.models import Criterion, RubricVersion
from rubrics.reading import task_text
from rubrics.views import workbench
from rubrics.views.lines import keep_or_show
from rubrics.views.steps import to_page


def rubric(request: HttpRequest, pk: int) -> HttpResponse:
    """The author's workbench while the rubric is open; for everybody else the closed version."""
    task = access_task(request.user, pk, "rubric.view")
    prefetch_related_objects([task], "rubric_versions")
    version = queries.working_version(task)
    if version is not None and allows(request.user, "rubric.refine", task):
        if "thread" in request.GET:
            return workbench.thread(request, task, version)
        return workbench.show(request, task, version)
    return _read(request, task)


def _read(request: HttpRequest, task: Task) -> HttpResponse:
    version = queries.version_to_read(task)
    lines = queries.lines_of(version)
    return render(
        request,
        "rubrics/read.html",
        {
            "task": task_text(task.pk),
            "is_author": allows(request.user, "rubric.refine", task),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "version": version,
            "is_draft": version is not None and version.origin == RubricVersion.Origin.DRAFT,
            "lines": lines,
            "total": sum(line.weight for line in lines),
            "importance": balance.by_importance(lines),
            "dimensions": balance.by_dimension(lines),
            "tab": "answer" if request.GET.get("tab") == "answer" else "task",
        },
    )


def send(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the rubric to its reviewers, or move to what is missing."""
    task = access_task(request.user, pk, "rubric.refine")
    try:
        early = _keep_what_stands_in_the_editor(request, task)
        if early is not None:
            return early
        actions.send_to_review(
            actor=request.user,
            task=task,
            as_drafted="as_drafted" in request.POST,
            reason=request.POST.get("limits_reason", ""),
        )
    except BadInput as refused:
        return workbench.show(
            request,
            task,
            open_version_of(task),
            line=refused.data.get("line"),
            refusal=str(refused.detail),
            sending=True,
            question=_question(refused),
            status=400,
        )
    messages.success(request, _("Sent. You hear from your reviewer when every line has a verdict."))
    return to_page(request, reverse("rubric", args=[task.pk]))


def _question(refused: BadInput) -> str:
    """What the refusal asks: about unread lines, unmarked ones, or nothing."""
    if refused.code == "reference_unmarked" and refused.data.get("required"):
        return "required"
    asked = {"lines_unread": "unread", "reference_unmarked": "unmarked"}
    return asked.get(refused.code, "")


def _keep_what_stands_in_the_editor(request: HttpRequest, task: Task) -> HttpResponse | None:
    """Store what was typed in the line whose editor sent this; a page if it cannot be stored."""
    line = Criterion.objects.filter(
        pk=whole(request.POST.get("line")) or 0, version__task=task, version__frozen_at=None
    ).first()
    return keep_or_show(request, task, line) if line is not None else None
