"""Views of a whole rubric: the workbench, the read-only page, sending to review."""

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.sending.actions import send_to_review
from rubrics.versions import balance
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import lines_of, version_to_read, working_version
from rubrics.versions.task_text import task_text
from rubrics.workbench import views
from rubrics.workbench.line_views import save_or_error_page
from rubrics.workbench.reply import to_page


def rubric(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the author the workbench while the rubric is open, everybody else a closed version."""
    task = access_task(request.user, pk, "rubric.view")
    prefetch_related_objects([task], "rubric_versions")
    version = working_version(task)
    if version is not None and allows(request.user, "rubric.refine", task):
        if "thread" in request.GET:
            return views.thread(request, task, version)
        return views.show(request, task, version)
    return _read(request, task)


def _read(request: HttpRequest, task: Task) -> HttpResponse:
    version = version_to_read(task)
    lines = lines_of(version)
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
            "flaws": balance.count_flaws(lines),
            "tab": "answer" if request.GET.get("tab") == "answer" else "task",
        },
    )


def send(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the rubric to its reviewers, or show what is missing."""
    task = access_task(request.user, pk, "rubric.refine")
    try:
        early = _save_editor(request, task)
        if early is not None:
            return early
        send_to_review(
            actor=request.user,
            task=task,
            as_drafted="as_drafted" in request.POST,
            reason=request.POST.get("limits_reason", ""),
        )
    except BadInput as refused:
        return views.show(
            request,
            task,
            open_version_of(task),
            line=refused.data.get("line"),
            refusal=str(refused.detail),
            sending=True,
            question=_question(refused),
            status=400,
        )
    messages.success(
        request, _("Sent. You will hear from your reviewer when every line has a verdict.")
    )
    return to_page(request, reverse("rubric", args=[task.pk]))


def _question(refused: BadInput) -> str:
    """Return which question the refusal asks: "unread", "unmarked", "required" or ""."""
    if refused.code == "reference_unmarked" and refused.data.get("required"):
        return "required"
    asked = {"lines_unread": "unread", "reference_unmarked": "unmarked"}
    return asked.get(refused.code, "")


def _save_editor(request: HttpRequest, task: Task) -> HttpResponse | None:
    """Save what was typed in the open editor; return an error page if it cannot be stored."""
    line = Criterion.objects.filter(
        pk=parse_int(request.POST.get("line")) or 0, version__task=task, version__frozen_at=None
    ).first()
    return save_or_error_page(request, task, line) if line is not None else None
