"""For staff: a task beside the prompts much like it, with what differs and what they share."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from curation.similar.actions import COMPARED, comparable, text_of
from curation.similar.queries import Alike, alike
from curation.tasks.access import access_task
from curation.tasks.fields import label_of
from curation.text import minhash, wording
from curation.web.refusals import NotFound


def staff_task_alike(request: HttpRequest, pk: int) -> HttpResponse:
    """The prompts alike, and one of them side by side: `?with=` a task's number, else the first."""
    thing = access_task(request.user, pk, "task.administer")
    found = alike(thing)
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
        common = minhash.anchors(text_of(thing)) & minhash.anchors(text_of(other))
        shared = wording.listed(minhash.shown(anchor) for anchor in sorted(common))
    return render(
        request,
        "similar/alike.html",
        {"task": thing, "found": found, "other": other, "parts": parts, "shared": shared},
    )


def _other(thing: Any, found: list[Alike], wanted: str) -> Any:
    """The task to stand beside: any that may be compared with, so that a link stays good."""
    if not wanted:
        return comparable().filter(pk=found[0].task).first() if found else None
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 10):
        raise NotFound()
    other = comparable().exclude(pk=thing.pk).filter(pk=int(wanted)).first()
    if other is None:
        raise NotFound()
    return other
