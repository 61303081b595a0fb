"""One step on the lines of the working version."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.access import access_task
from curation.errors import BadInput, NotFound, Stale
from curation.models import Task
from rubrics import actions, history
from rubrics.actions.versions import open_version_of
from rubrics.forms import line_fields, whole
from rubrics.models import Criterion, LineChange, RubricVersion
from rubrics.views import workbench
from rubrics.views.workbench import address, wants_json


def access_line(request: HttpRequest, pk: int, line: int) -> tuple[Task, Criterion]:
    """The author's task and one line of it; somebody else's line looks like a missing one."""
    task = access_task(request.user, pk, "rubric.refine")
    criterion = Criterion.objects.filter(pk=line, version__task=task).first()
    if criterion is None:
        raise NotFound(
            _("This line is not there any more. Load the page again; nothing else was changed.")
        )
    return task, criterion


def save(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Save what was typed in one line."""
    task, criterion = access_line(request, pk, line)
    try:
        _keep_typed(request, task, criterion)
    except BadInput as refused:
        if wants_json(request):
            raise
        return _again(request, task, criterion, refused)
    except Stale as stale:
        if wants_json(request):
            raise
        return _choose(request, task, criterion, stale)
    criterion.refresh_from_db()
    if wants_json(request):
        version = criterion.version
        return JsonResponse(
            {
                "saved_at": workbench.clock(version),
                "version": actions.line_token(criterion),
                "html": workbench.parts(request, task, version, criterion),
            }
        )
    following = criterion
    if request.POST.get("then") == "next":
        lines = history.in_order(criterion.version)
        at = [other.pk for other in lines].index(criterion.pk)
        following = lines[min(at + 1, len(lines) - 1)]
    return _to(task, following)


def _keep_typed(request: HttpRequest, task: Task, criterion: Criterion) -> None:
    """Store the editor's fields, if the form brought any."""
    fields = line_fields(request.POST)
    if fields:
        actions.edit_line(
            actor=request.user,
            task=task,
            criterion=criterion,
            seen=request.POST.get("version") or None,
            text_before=request.POST.get("text_before"),
            **fields,
        )


def _again(
    request: HttpRequest, task: Task, criterion: Criterion, refused: BadInput
) -> HttpResponse:
    """The page once more, with everything typed and what to change."""
    return workbench.show(
        request,
        task,
        criterion.version,
        line=criterion.pk,
        typed=line_fields(request.POST),
        errors=refused.fields,
        refusal="" if refused.fields else str(refused.detail),
        status=400,
    )


def _choose(request: HttpRequest, task: Task, criterion: Criterion, stale: Stale) -> HttpResponse:
    """Both texts on a page of their own, for browsers without scripts."""
    return render(
        request,
        "rubrics/conflict.html",
        {
            "task": task,
            "line": criterion,
            "yours": stale.data["yours"]["text"],
            "theirs": stale.data["theirs"]["text"],
            "token": stale.data["version"],
            "fields": line_fields(request.POST),
        },
        status=409,
    )


def _to(task: Task, line: Criterion | None, **query: Any) -> HttpResponseRedirect:
    return redirect(address(task, line, **query))


def _undo_tag(task: Task, change: LineChange | None) -> str:
    if change is None:
        return ""
    return "undo=" + reverse("rubric-line-restore", args=[task.pk, change.pk])


def _last(version: RubricVersion) -> LineChange | None:
    return actions.last_change(version)


def add(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a line at the end, and open it."""
    task = access_task(request.user, pk, "rubric.refine")
    try:
        fields = {"text": "", **line_fields(request.POST)}
        line = actions.add_line(actor=request.user, task=task, **fields)
    except BadInput as refused:
        version = open_version_of(task)
        return workbench.show(
            request,
            task,
            version,
            refusal=" ".join(str(m) for ms in refused.fields.values() for m in ms),
            status=400,
        )
    return _to(task, line)


def _step(request: HttpRequest, pk: int, line: int, do: Any) -> HttpResponse:
    """Store what was typed, take a step, and show the page; or say why not, keeping it all."""
    task, criterion = access_line(request, pk, line)
    try:
        _keep_typed(request, task, criterion)
        return do(task, criterion)
    except BadInput as refused:
        return _again(request, task, criterion, refused)
    except Stale as stale:
        if wants_json(request):
            raise
        return _choose(request, task, criterion, stale)


def move(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Move a line up or down."""

    def do(task: Task, criterion: Criterion) -> HttpResponse:
        by = whole(request.POST.get("by"))
        if not by:
            raise BadInput(fields={"by": [_("Say whether the line moves up or down.")]})
        actions.move_line(actor=request.user, task=task, criterion=criterion, by=by)
        return _to(task, criterion)

    return _step(request, pk, line, do)


def split(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Split a line at its joining word or at the place chosen; without either, ask for it."""

    def do(task: Task, criterion: Criterion) -> HttpResponse:
        at = whole(request.POST.get("at"))
        try:
            first, second = actions.split_line(
                actor=request.user, task=task, criterion=criterion, at=at
            )
        except BadInput as refused:
            if refused.code != "no_split_point" or at is not None:
                raise
            return _to(task, criterion, split=1)
        messages.success(
            request,
            _("Split in two. Both lines keep weight %(weight)s; change it where one matters less.")
            % {"weight": first.weight},
            extra_tags=_undo_tag(task, _last(second.version)),
        )
        return _to(task, second)

    return _step(request, pk, line, do)


def merge(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Merge a line with the next one."""

    def do(task: Task, criterion: Criterion) -> HttpResponse:
        merged = actions.merge_lines(actor=request.user, task=task, criterion=criterion)
        messages.success(
            request,
            _("Merged. The line keeps the heavier weight of the two."),
            extra_tags=_undo_tag(task, _last(merged.version)),
        )
        return _to(task, merged)

    return _step(request, pk, line, do)


def remove(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Remove a line; the toast brings it back."""
    task, criterion = access_line(request, pk, line)
    lines = history.in_order(criterion.version)
    at = [other.pk for other in lines].index(criterion.pk)
    change = actions.remove_line(actor=request.user, task=task, criterion=criterion)
    lines.pop(at)
    messages.success(
        request,
        _("Line %(n)s removed.") % {"n": at + 1},
        extra_tags=_undo_tag(task, change),
    )
    return _to(task, lines[min(at, len(lines) - 1)] if lines else None)


def restore(request: HttpRequest, pk: int, change: int) -> HttpResponse:
    """Undo a step."""
    task = access_task(request.user, pk, "rubric.refine")
    step = get_object_or_404(LineChange, pk=change, version__task=task)
    actions.undo(actor=request.user, task=task, change=step)
    messages.success(request, _("Undone: %(step)s.") % {"step": step.get_kind_display()})
    line = Criterion.objects.filter(version=step.version_id, key=step.key).first()
    return _to(task, line)
