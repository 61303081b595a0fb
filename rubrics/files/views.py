"""Views for exporting a rubric as a file and importing it."""

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.files import format
from rubrics.files.export import as_file, version_for
from rubrics.files.format import Content, Fault
from rubrics.files.import_rubric import Plan, import_lines, plan_import
from rubrics.lines.history import last_change
from rubrics.policy.dimensions import dimension_choices
from rubrics.versions.actions import open_version_of
from rubrics.versions.queries import working_version
from rubrics.versions.task_text import task_text

SHOWN_FAULTS = 100


def export(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Download one version as CSV or JSON lines."""
    task = access_task(request.user, pk, "rubric.view")
    return as_file(task, version_for(request.user, task, request.GET.get("version")), kind)


def import_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a file, preview what it would change, then import it in one step."""
    task = access_task(request.user, pk, "rubric.refine")
    open_version_of(task)
    if request.method != "POST":
        return _page(request, task)
    replaces = request.POST.get("scope") == "whole"
    kept = request.POST.get("lines")
    if kept is None:
        return _preview(request, task, _uploaded(request), replaces)
    content = format.read(kept.encode("utf-8", "replace"))
    try:
        plan = import_lines(
            actor=request.user,
            task=task,
            content=content,
            whole=replaces,
            revision=parse_int(request.POST.get("revision")) or 0,
        )
    except BadInput:
        return _preview(request, task, content, replaces)
    except Conflict as refusal:
        if refusal.code != "changed_since":
            raise
        return _preview(request, task, content, replaces, refusal=str(refusal.detail), status=409)
    change = last_change(open_version_of(task))
    messages.success(
        request,
        _result_message(plan),
        extra_tags="undo=" + reverse("rubric-line-restore", args=[task.pk, change.pk])
        if change and plan.changes
        else "",
    )
    return redirect("rubric", pk=task.pk)


def _uploaded(request: HttpRequest) -> Content:
    """Read the uploaded file."""
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return Content(faults=[Fault(0, "file", _("Choose a file."))])
    return format.read(file.read(format.MOST_BYTES + 1))


def _preview(
    request: HttpRequest,
    task: Task,
    content: Content,
    replaces: bool,
    *,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show what the file would change, or all of its faults."""
    plan = plan_import(task=task, content=content, whole=replaces)
    if plan.faults:
        return _page(request, task, plan=plan, replaces=replaces, status=400)
    return _page(
        request,
        task,
        plan=plan,
        replaces=replaces,
        refusal=refusal,
        status=status,
        lines="".join(f"{line}\n" for line in format.as_json(content.lines)),
    )


def _page(
    request: HttpRequest,
    task: Task,
    *,
    plan: Plan | None = None,
    replaces: bool = False,
    refusal: str = "",
    lines: str = "",
    status: int = 200,
) -> HttpResponse:
    faults = plan.faults if plan else []
    return render(
        request,
        "rubric_files/import.html",
        {
            "task": task_text(task.pk),
            "plan": plan,
            "rows": [row for row in plan.rows if row.differs] if plan else [],
            "faults": faults[:SHOWN_FAULTS],
            "more_faults": max(0, len(faults) - SHOWN_FAULTS),
            "fault_count": len(faults),
            "refusal": refusal,
            "whole": replaces,
            "lines": lines,
            "dimensions": [value for value, _name in dimension_choices()],
            "now": working_version(task),
        },
        status=status,
    )


def _result_message(plan: Plan) -> str:
    """Say what an import did."""
    if not plan.changes:
        return _("The file says the same as your rubric. Nothing was changed.")
    counts = plan.counts
    told = [
        words % {"n": n}
        for n, words in (
            (counts.edited, ngettext("%(n)s line changed", "%(n)s lines changed", counts.edited)),
            (counts.added, ngettext("%(n)s line added", "%(n)s lines added", counts.added)),
            (
                counts.removed,
                ngettext("%(n)s line removed", "%(n)s lines removed", counts.removed),
            ),
        )
        if n
    ] or [_("the lines are in the file's order")]
    return _("File imported: %(what)s.") % {"what": ", ".join(told)}
