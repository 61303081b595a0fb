"""View for copying lines from another rubric of the same author."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.same_line import key_of
from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput
from curation.tasks.task.access import access_task
from curation.tasks.task.models import Task
from rubrics.lines.add import copy_lines
from rubrics.lines.history import last_change
from rubrics.versions.actions import open_version_of
from rubrics.versions.queries import lines_of, own_rubrics
from rubrics.workbench.reply import to_line, undo_tag


def copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose one of the author's other rubrics and its lines; POST copies the chosen ones."""
    task = access_task(request.user, pk, "rubric.refine")
    version = open_version_of(task)
    refusal = ""
    if request.method == "POST":
        chosen = {
            n for value in request.POST.getlist("lines") if (n := parse_int(value)) is not None
        }
        try:
            return _copy(request, task, chosen)
        except BadInput as refused:
            refusal = str(refused.detail)
    rubrics = own_rubrics(task)
    wanted = parse_int(request.POST.get("from") or request.GET.get("from"))
    source = next((one for one in rubrics if one.task_id == wanted), None)
    said = {key_of(line.text) for line in lines_of(version)}
    rows = [{"line": line, "here": key_of(line.text) in said} for line in lines_of(source)]
    return render(
        request,
        "rubrics/copy.html",
        {"task": task, "rubrics": rubrics, "source": source, "rows": rows, "refusal": refusal},
        status=400 if refusal else 200,
    )


def _copy(request: HttpRequest, task: Task, chosen: set[int]) -> HttpResponse:
    made = copy_lines(actor=request.user, task=task, lines=chosen)
    if not made:
        messages.info(request, _("Nothing to copy: your rubric has these lines already."))
        return redirect(reverse("rubric", args=[task.pk]))
    messages.success(
        request,
        ngettext(
            "%(n)s line copied to the end. Check that it fits this task.",
            "%(n)s lines copied to the end. Check that they fit this task.",
            len(made),
        )
        % {"n": len(made)},
        extra_tags=undo_tag(task, last_change(made[0].version)),
    )
    return to_line(request, task, made[0])
