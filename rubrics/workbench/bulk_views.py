"""Views that change several chosen lines of the working version."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.comparisons import key_of
from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.lines.add import copy_lines
from rubrics.lines.bulk_edit import BULK_FIELDS, change_lines, move_lines, remove_lines
from rubrics.lines.history import last_change
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion, LineChange
from rubrics.versions.queries import lines_of, own_rubrics
from rubrics.workbench import views
from rubrics.workbench.reply import to_line, undo_tag
from rubrics.workbench.views import line_fields


def several(request: HttpRequest, pk: int) -> HttpResponse:
    """Change, move or remove the chosen lines and offer to undo it."""
    task = access_task(request.user, pk, "rubric.refine")
    chosen = {n for value in request.POST.getlist("lines") if (n := parse_int(value)) is not None}
    try:
        change = _apply_step(request, task, chosen)
    except BadInput as refused:
        words = [str(m) for ms in refused.fields.values() for m in ms] or [str(refused.detail)]
        return views.show(
            request,
            task,
            open_version_of(task),
            refusal=" ".join(words),
            chosen=chosen,
            status=400,
        )
    if change is None:
        messages.info(request, _("Nothing to change: the chosen lines are like that already."))
    else:
        messages.success(
            request,
            _("Done: %(step)s.") % {"step": change.description},
            extra_tags=undo_tag(task, change),
        )
    left = Criterion.objects.filter(version__task=task, version__frozen_at=None, pk__in=chosen)
    kept = [line.pk for line in left]
    line = Criterion.objects.filter(pk=parse_int(request.POST.get("current")) or 0).first()
    return to_line(
        request, task, line or left.first(), **({"chosen": _joined_ids(kept)} if kept else {})
    )


def _joined_ids(ids: list[int]) -> str:
    return ".".join(map(str, sorted(ids)))


def _apply_step(request: HttpRequest, task: Task, chosen: set[int]) -> LineChange | None:
    """Take the step of the pressed button; None if nothing changed."""
    if "remove" in request.POST:
        return remove_lines(actor=request.user, task=task, lines=chosen)
    by = parse_int(request.POST.get("by"))
    if by:
        return move_lines(actor=request.user, task=task, lines=chosen, by=by)
    name, _colon, value = request.POST.get("set", "").partition(":")
    if name not in BULK_FIELDS:
        raise BadInput(_("Say what the chosen lines should have."), code="no_change")
    given = line_fields({name: value or request.POST.get(name, "")})
    return change_lines(actor=request.user, task=task, lines=chosen, **given)


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
