"""Pages about a whole rubric: workbench or read view, the draft beside it, versions, sending."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.access import access_task, allows
from curation.errors import BadInput, NotFound
from curation.lifecycle import Stage
from curation.models import Task
from rubrics import actions, balance, diff, queries
from rubrics.actions.versions import open_version_of
from rubrics.forms import whole
from rubrics.models import Criterion, RubricVersion
from rubrics.reading import task_text
from rubrics.views import workbench


def rubric(request: HttpRequest, pk: int) -> HttpResponse:
    """The author's workbench while the rubric is open; for everybody else the closed version."""
    task = access_task(request.user, pk, "rubric.view")
    version = queries.working_version(task)
    if version is not None and allows(request.user, "rubric.refine", task):
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
        actions.send_to_review(actor=request.user, task=task)
    except BadInput as refused:
        return workbench.show(
            request,
            task,
            open_version_of(task),
            line=refused.data.get("line"),
            refusal=str(refused.detail),
            status=400,
        )
    messages.success(request, _("Sent. You hear from your reviewer when every line has a verdict."))
    return redirect("rubric", pk=task.pk)


def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """The model's draft beside the expert's lines; reasons, and lines brought back."""
    if request.method == "POST":
        return _change_beside(request, pk)
    task = access_task(request.user, pk, "rubric.view")
    drafted = (
        task.rubric_versions.filter(origin=RubricVersion.Origin.DRAFT).order_by("-number").first()
    )
    is_author = allows(request.user, "rubric.refine", task)
    working = queries.working_version(task) if is_author else None
    version = working or queries.version_to_read(task)
    if drafted is None or version is None:
        raise NotFound(_("This rubric was written without a model's draft."))
    lines = queries.lines_of(version) if version.pk != drafted.pk else []
    old = queries.lines_of(drafted)
    rows = queries.against_draft(old, lines)
    reasons = queries.reasons_of(task)
    only = request.GET.get("show") == "changes"
    return render(
        request,
        "rubrics/draft.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "can_change": working is not None,
            "is_author": is_author,
            "version": version,
            "draft": drafted,
            "draft_lines": len(old),
            "my_lines": len(lines),
            "counts": diff.count(rows),
            "only": only,
            "rows": [
                {"row": row, "why": reasons.get((row.new or row.old).key, "")}
                for row in rows
                if not only or row.kind != "kept"
            ],
            "saved": _("Saved %(time)s") % {"time": workbench.clock(version)},
        },
    )


def _change_beside(request: HttpRequest, pk: int) -> HttpResponse:
    """A reason for leaving the draft, or a line brought back from it."""
    task = access_task(request.user, pk, "rubric.refine")
    drafted = Criterion.objects.filter(
        pk=whole(request.POST.get("bring_back")) or 0,
        version__task=task,
        version__origin=RubricVersion.Origin.DRAFT,
    ).first()
    if drafted is not None:
        actions.bring_back(actor=request.user, task=task, drafted=drafted)
        messages.success(request, _("The line is back, as it was drafted."))
    else:
        key = request.POST.get("key", "")
        if not Criterion.objects.filter(version__task=task, key=key).exists():
            raise NotFound()
        actions.give_reason(
            actor=request.user, task=task, key=key, reason=request.POST.get("reason", "")
        )
        messages.success(request, _("Reason saved. Your reviewer reads it."))
    query = "?show=changes" if request.POST.get("show") == "changes" else ""
    return redirect(reverse("rubric-draft", args=[task.pk]) + query)


def versions(request: HttpRequest, pk: int) -> HttpResponse:
    """Every version, and the words that differ between two of them."""
    task = access_task(request.user, pk, "rubric.view")
    every = queries.versions_of(task)
    if not allows(request.user, "rubric.refine", task):
        every = [version for version in every if version.frozen]  # the open one is the author's
    numbers = {version.number: version for version in every}
    newer = numbers.get(whole(request.GET.get("b")) or 0) or (every[0] if every else None)
    older = numbers.get(whole(request.GET.get("a")) or 0) or next(
        (v for v in every if newer and v.number < newer.number), None
    )
    rows = []
    if newer is not None and older is not None:
        rows = diff.align(queries.lines_of(older), queries.lines_of(newer))
    return render(
        request,
        "rubrics/versions.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "is_author": allows(request.user, "rubric.refine", task),
            "versions": every,
            "older": older,
            "newer": newer,
            "rows": [row for row in rows if row.kind != "kept"],
            "counts": diff.count(rows),
        },
    )
