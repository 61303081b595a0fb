"""Views that change several chosen lines of the working version."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput
from curation.tasks.task.access import access_task
from curation.tasks.task.models import Task
from rubrics.lines.bulk_edit import BULK_FIELDS, change_lines, move_lines, remove_lines
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion, LineChange
from rubrics.workbench import views
from rubrics.workbench.forms import line_fields
from rubrics.workbench.reply import to_line, undo_tag


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
