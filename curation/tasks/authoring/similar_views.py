"""The staff page that compares a task with the prompts similar to it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from curation.base.text import minhash, wording
from curation.base.web.refusals import NotFound
from curation.tasks.authoring.similar_actions import COMPARED, comparable, compared_text
from curation.tasks.authoring.similar_queries import SimilarPrompt, similar_prompts
from curation.tasks.task.fields import label_of
from curation.tasks.task.queries import access_task


def staff_task_alike(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the similar prompts, and one of them side by side.

    `?with=` is the number of that task; by default it is the most similar one.
    """
    thing = access_task(request.user, pk, "task.oversee")
    found = similar_prompts(thing)
    other = _other(thing, found, request.GET.get("with", ""))
    parts: list[dict[str, Any]] = []
    shared = ""
    if other is not None:
        parts = [
            {
                "name": name,
                "label": label_of(name),
                "one": getattr(thing, name),
                "other": getattr(other, name),
            }
            for name in COMPARED
        ]
        common = minhash.anchors(compared_text(thing)) & minhash.anchors(compared_text(other))
        shared = wording.listed(minhash.shown(anchor) for anchor in sorted(common))
    return render(
        request,
        "tasks/similar/prompts.html",
        {"task": thing, "found": found, "other": other, "parts": parts, "shared": shared},
    )


def _other(thing: Any, found: list[SimilarPrompt], wanted: str) -> Any:
    """Return the task to compare with.

    Accepts any comparable task, so that links work after the list of similar prompts changed.
    """
    if not wanted:
        return comparable().filter(pk=found[0].task).first() if found else None
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 10):
        raise NotFound()
    other = comparable().exclude(pk=thing.pk).filter(pk=int(wanted)).first()
    if other is None:
        raise NotFound()
    return other
