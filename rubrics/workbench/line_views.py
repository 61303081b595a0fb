"""Views that change one line of the working version."""

from contextlib import nullcontext
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput, Conflict, NotFound, Stale
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.lines import history, threads
from rubrics.lines.actions import confirm_line, edit_line, line_token
from rubrics.lines.add import add_line, add_lines, set_passage
from rubrics.lines.history import last_change, step_name
from rubrics.lines.rearrange import merge_lines, move_line, remove_line, split_line, undo
from rubrics.linter import repairs
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion, LineChange
from rubrics.workbench import views
from rubrics.workbench.reply import to_line, undo_tag
from rubrics.workbench.views import line_fields


def access_line(request: HttpRequest, pk: int, line: int) -> tuple[Task, Criterion]:
    """Return the author's task and one line of it.

    Raises:
        NotFound: no such line; another person's line looks the same.
    """
    task = access_task(request.user, pk, "rubric.refine")
    criterion = Criterion.objects.filter(pk=line, version__task=task).first()
    if criterion is None:
        raise NotFound(
            _("This line no longer exists. Load the page again; nothing else was changed.")
        )
    return task, criterion


def save(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Save what was typed in one line; "Done" also confirms a drafted line."""
    task, criterion = access_line(request, pk, line)
    shown = save_or_error_page(request, task, criterion)
    if shown is not None:
        return shown
    done = request.POST.get("then") == "next"
    if done:
        confirm_line(actor=request.user, task=task, criterion=criterion)
    criterion.refresh_from_db()
    if views.wants_json(request):
        version = criterion.version
        return JsonResponse(
            {
                "saved_at": views.clock(version),
                "version": line_token(criterion),
                "html": views.parts(request, task, version, criterion),
            }
        )
    following = views.following(task, criterion) if done else None
    return to_line(request, task, following or criterion)


def save_or_error_page(
    request: HttpRequest, task: Task, criterion: Criterion
) -> HttpResponse | None:
    """Save what the editor sent; return the page to show instead where it cannot be stored.

    Raises:
        BadInput, Stale: where the page's own script asked, instead of a page.
    """
    try:
        _save_typed(request, task, criterion)
    except BadInput as refused:
        if views.wants_json(request):
            raise
        return _error_page(request, task, criterion, refused)
    except Stale as stale:
        if views.wants_json(request):
            raise
        return _conflict_page(request, task, criterion, stale)
    return None


def _save_typed(request: HttpRequest, task: Task, criterion: Criterion) -> None:
    """Save the editor's fields, if the form has any, and the answer typed in its box.

    An autosave does not store the answer: it may be half a sentence.
    """
    fields = line_fields(request.POST)
    with transaction.atomic() if _answer(request) else nullcontext():  # both or neither
        if fields:
            edit_line(
                actor=request.user,
                task=task,
                criterion=criterion,
                seen=request.POST.get("version") or None,
                text_before=request.POST.get("text_before"),
                **fields,
            )
        _save_answer(request, task, criterion)


def _answer(request: HttpRequest) -> str:
    words = request.POST.get("comment", "")
    return words if words.strip() and "X-Autosave" not in request.headers else ""


def _save_answer(request: HttpRequest, task: Task, criterion: Criterion) -> None:
    words = _answer(request)
    if words:
        try:
            threads.answer(actor=request.user, task=task, line=criterion, words=words)
        except Conflict as refused:
            refused.data.setdefault("kept", words)
            raise


def _error_page(
    request: HttpRequest, task: Task, criterion: Criterion, refused: BadInput
) -> HttpResponse:
    """Show the page again with everything typed and what to change."""
    return views.show(
        request,
        task,
        criterion.version,
        line=criterion.pk,
        typed={
            **line_fields(request.POST),
            "comment": request.POST.get("comment", ""),
        },
        errors=refused.fields,
        refusal="" if refused.fields else str(refused.detail),
        status=400,
    )


def _conflict_page(
    request: HttpRequest, task: Task, criterion: Criterion, stale: Stale
) -> HttpResponse:
    """Show both texts on a page of their own, for browsers without scripts."""
    return render(
        request,
        "rubrics/conflict.html",
        {
            "task": task,
            "line": criterion,
            "yours": stale.data["yours"]["text"],
            "theirs": stale.data["theirs"]["text"],
            "token": stale.data["version"],
            "fields": {
                **line_fields(request.POST),
                **({"comment": words} if (words := _answer(request)) else {}),
            },
        },
        status=409,
    )


def add(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a line and open it; a text of several rows becomes several lines."""
    task = access_task(request.user, pk, "rubric.refine")
    fields = {"text": "", **line_fields(request.POST)}
    rows = [row for row in str(fields["text"]).splitlines() if row.strip()]
    seen = parse_int(request.POST.get("seen"))
    try:
        if len(rows) > 1:
            return _add_several(request, task, rows, seen)
        after = Criterion.objects.filter(pk=parse_int(request.POST.get("after")) or 0).first()
        line = add_line(
            actor=request.user,
            task=task,
            after=after,
            quote=request.POST.get("quote", ""),
            seen=seen,
            **fields,
        )
    except BadInput as refused:
        version = open_version_of(task)
        return views.show(
            request,
            task,
            version,
            refusal=" ".join(str(m) for ms in refused.fields.values() for m in ms),
            added=str(fields["text"]),
            status=400,
        )
    return to_line(request, task, line)


def _add_several(
    request: HttpRequest, task: Task, rows: list[str], seen: int | None
) -> HttpResponse:
    lines = add_lines(actor=request.user, task=task, rows=rows, seen=seen)
    step = last_change(lines[0].version)
    if step is not None and len(lines) > 1:
        messages.success(
            request,
            _("Done: %(step)s.") % {"step": step.description},
            extra_tags=undo_tag(task, step),
        )
    return to_line(request, task, lines[0])


def passage(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Set the passage a line rests on."""

    def do(task: Task, criterion: Criterion) -> HttpResponse:
        changed = set_passage(
            actor=request.user, task=task, criterion=criterion, quote=request.POST.get("quote", "")
        )
        messages.success(
            request,
            _("The line rests on this passage now.")
            if changed.quote
            else _("The line no longer rests on a passage."),
            extra_tags=undo_tag(task, last_change(changed.version)),
        )
        return to_line(request, task, criterion)

    return _take_step(request, pk, line, do)


def _take_step(request: HttpRequest, pk: int, line: int, do: Any) -> HttpResponse:
    """Save what was typed, then take a step; if refused, show why with everything typed."""
    task, criterion = access_line(request, pk, line)
    try:
        _refuse_stale_page(request, criterion)
        _save_typed(request, task, criterion)
        return do(task, criterion)
    except BadInput as refused:
        return _error_page(request, task, criterion, refused)
    except Stale as stale:
        if views.wants_json(request):
            raise
        return _conflict_page(request, task, criterion, stale)


def _refuse_stale_page(request: HttpRequest, criterion: Criterion) -> None:
    """Refuse a step from a page whose line was changed elsewhere since, or that was sent twice.

    `edit_line` checks a text that was typed. Where none was, the step would apply to a line the
    author has not seen: merge once more, or split at the wrong word.

    Raises:
        Conflict: `changed_since`.
    """
    seen, words = request.POST.get("version"), request.POST.get("text")
    if not seen or words is None:
        return
    shown, now = seen.partition(":")[0], line_token(criterion).partition(":")[0]
    typed = line_token(Criterion(text=storable.clean(words))).partition(":")[0]
    if typed == shown != now:
        raise Conflict(
            _(
                "This line was changed after this page was loaded, so the step was not taken. "
                "Nothing is lost: look at the line as it is now."
            ),
            code="changed_since",
        )


def _shown_text(request: HttpRequest) -> str | None:
    """Return the line's text as the page shows it; None if the form does not say."""
    words = request.POST.get("text")
    return None if words is None else storable.clean(words)


def move(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Move a line up or down."""

    def do(task: Task, criterion: Criterion) -> HttpResponse:
        by = parse_int(request.POST.get("by"))
        if not by:
            raise BadInput(fields={"by": [_("Say whether the line moves up or down.")]})
        move_line(actor=request.user, task=task, criterion=criterion, by=by)
        return to_line(request, task, criterion)

    return _take_step(request, pk, line, do)


def split(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Split a line at the chosen character or its joining word; without either, ask where."""

    def do(task: Task, criterion: Criterion) -> HttpResponse:
        at = parse_int(request.POST.get("at"))
        try:
            lines = split_line(
                actor=request.user,
                task=task,
                criterion=criterion,
                at=at,
                words=_shown_text(request),
            )
        except BadInput as refused:
            if refused.code != "no_split_point" or at is not None:
                raise
            criterion.refresh_from_db()  # `_take_step` has stored what was typed
            if len(repairs.word_starts(criterion.text)) < 2:
                raise BadInput(
                    _("Line %(n)s is one word, so it cannot be split.")
                    % {"n": history.index_of(criterion) + 1},
                    code="one_word",
                ) from refused
            return to_line(request, task, criterion, split=1)
        if len(lines) == 2:
            said = _(
                "Split in two. Both lines keep weight %(weight)s; change it where one matters less."
            ) % {"weight": lines[0].weight}
        else:
            said = _("Split into %(n)s lines. All of them keep weight %(weight)s.") % {
                "n": len(lines),
                "weight": lines[0].weight,
            }
        messages.success(request, said, extra_tags=undo_tag(task, last_change(criterion.version)))
        return to_line(request, task, lines[1])

    return _take_step(request, pk, line, do)


def merge(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Merge a line with the next one."""

    def do(task: Task, criterion: Criterion) -> HttpResponse:
        merged = merge_lines(
            actor=request.user, task=task, criterion=criterion, words=_shown_text(request)
        )
        messages.success(
            request,
            _("Merged. The line keeps the heavier weight of the two."),
            extra_tags=undo_tag(task, last_change(merged.version)),
        )
        return to_line(request, task, merged)

    return _take_step(request, pk, line, do)


def remove(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Remove a line and offer to undo it."""
    task, criterion = access_line(request, pk, line)
    try:
        _save_answer(request, task, criterion)
    except BadInput as refused:
        return _error_page(request, task, criterion, refused)
    change = remove_line(actor=request.user, task=task, criterion=criterion)
    at = change.before[0]["place"]
    lines = history.in_order(criterion.version)
    messages.success(
        request,
        _("Line %(n)s removed.") % {"n": at + 1},
        extra_tags=undo_tag(task, change),
    )
    return to_line(request, task, lines[min(at, len(lines) - 1)] if lines else None)


def restore(request: HttpRequest, pk: int, change: int) -> HttpResponse:
    """Undo a step."""
    task = access_task(request.user, pk, "rubric.refine")
    step = get_object_or_404(LineChange, pk=change, version__task=task)
    name = step_name(step, history.in_order(step.version))
    undo(actor=request.user, task=task, change=step)
    messages.success(request, _("Undone: %(step)s.") % {"step": name})
    line = Criterion.objects.filter(version=step.version_id, key__in=step.keys).first()
    return to_line(request, task, line)
