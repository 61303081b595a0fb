"""The author's steps in a review: answering in threads and taking suggestions."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from review.rounds.access import with_text
from review.rounds.actions import answer_request
from review.rounds.assignment_models import Suggestion
from review.rounds.assignment_queries import asks_the_author, newest_closed_version
from rubrics.lines.actions import edit_line
from rubrics.versions.actions import open_version_of, open_working_version
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange
from rubrics.workbench.reply import to_line
from rubrics.workbench.views import parts, wants_json


def open_suggestion(task: Task, pk: int) -> Suggestion:
    """Return a suggestion from a finished round over the version that counts.

    Raises:
        NotFound: of another task, of an open round, or of an earlier version.
    """
    found = (
        Suggestion.objects.filter(
            asks_the_author("line__round__"),
            pk=pk,
            line__round__review__task=task,
        )
        .annotate(newest=newest_closed_version("line__round__review__task_id"))
        .filter(line__round__version_id=F("newest"))
        .select_related("line__criterion")
        .first()
    )
    if found is None:
        raise NotFound()
    return found


@action("rubric.refine", about="task")
@transaction.atomic
def take_suggestion(*, actor: Any, task: Task, suggestion: Suggestion) -> Criterion:
    """Write the suggestion into the working version, as one step with one undo.

    Repeating it changes nothing.

    Raises:
        Conflict: `wrong_stage`; `line_gone`, the author removed the line.
    """
    version = open_working_version(task)
    line = version.criteria.filter(key=suggestion.line.criterion.key).first()
    if line is None:
        raise Conflict(
            _("You removed this line, so there is nothing to put the suggestion into."),
            code="line_gone",
        )
    return edit_line(
        actor=actor,
        task=task,
        criterion=line,
        kind=LineChange.Kind.SUGGESTED,
        **{name: getattr(suggestion, name) for name in CONTENT},
    )


def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Add the author's answer to the thread of a line."""
    task = access_task(request.user, pk, "rubric.refine")
    key = request.POST.get("key", "")
    criterion = Criterion.objects.filter(version__task=task, key=key).order_by("-version").first()
    if criterion is None:
        raise NotFound()
    scripted = wants_json(request)
    back = reverse("rubric", args=[task.pk])
    line = parse_int(request.POST.get("line"))
    if line:
        back += f"?line={line}"
    try:
        answer_request(
            actor=request.user, task=task, line=criterion, words=request.POST.get("comment", "")
        )
    except BadInput as refused:
        why = " ".join(str(m) for ms in refused.fields.values() for m in ms)
        if scripted:
            raise BadInput(why or refused.detail) from refused
        messages.warning(request, why)
        return redirect(back)
    except Conflict as refused:
        raise with_text(request, refused) from refused
    said = _("Your answer is in the thread. The reviewer reads it next round.")
    if scripted:
        html = parts(request, task, open_version_of(task), criterion, answered=True)
        return JsonResponse({"html": html, "said": said})
    return go(request, said, back)


def take(request: HttpRequest, pk: int, suggestion: int) -> HttpResponse:
    """Take a reviewer's suggestion into the line and store the answer typed with it."""
    task = access_task(request.user, pk, "rubric.refine")
    line = take_suggestion(
        actor=request.user, task=task, suggestion=open_suggestion(task, suggestion)
    )
    words = request.POST.get("comment", "")
    if words.strip():
        answer_request(actor=request.user, task=task, line=line, words=words)
    messages.success(
        request, _("Taken as suggested. The reviewer sees it in the next round; U takes it back.")
    )
    return to_line(request, task, line)
