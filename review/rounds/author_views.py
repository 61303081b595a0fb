"""The author's steps in a review: answering in threads and taking suggestions."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.web.forms import parse_int
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go
from curation.tasks.task.access import access_task
from review.rounds.access import with_text
from review.rounds.actions import answer_request
from review.rounds.suggestions import open_suggestion, take_suggestion
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion
from rubrics.workbench.reply import to_line
from rubrics.workbench.views import parts, wants_json


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
