"""What the editors of a task and of a trial task share: the same form, the same remarks."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from curation.authoring import checks
from curation.authoring.forms import TaskForm
from curation.domains.models import Domain
from curation.tasks.fields import EDITABLE, PARTS, TEXT_PARTS, label_of
from curation.tasks.models import Prompt
from curation.tasks.task_value import worth

WrittenT = TypeVar("WrittenT", bound=Prompt)


def as_in(thing: WrittenT, form: TaskForm, **owner: Any) -> WrittenT:
    """The thing as the form has it, unsaved; a field that cannot be read counts as empty.

    Args:
        owner: what of the thing is not typed but looked at all the same, such as its domain.
    """
    if not form.is_bound:
        return thing
    form.is_valid()
    read = {name: form.cleaned_data.get(name) for name in EDITABLE}
    empty = {"category": None, "minutes": None}
    values = {k: empty.get(k, "") if v is None else v for k, v in read.items()}
    return type(thing)(pk=thing.pk, **owner, **values)


def domain_in(form: TaskForm) -> Domain | None:
    """The domain chosen in the form; None where none can be read."""
    if not form.is_bound:
        return None
    form.is_valid()
    return form.cleaned_data.get("domain")


def texts_of(form: TaskForm) -> dict[str, str]:
    """The parts that are remarked on, as they stand in the form."""
    return {name: form.now(name) for name in PARTS}


def looks(
    now: Prompt, form: TaskForm, found: Sequence[checks.Remark], facts: Collection[str]
) -> dict[str, Any]:
    """The remarks and the state of each part, for a page or for a swap after a save.

    Args:
        now: the thing as the form has it.
        found: the remarks on it.
        facts: the names of the facts that are still missing; they count as the title's.
    """
    parts = []
    for name in PARTS:
        own = {name, *facts} if name == "title" else {name}
        remarks = [r for r in found if r.part in own and r.kind == "look"]
        filled = bool(form.now(name).strip())
        parts.append(
            {
                "name": name,
                "label": label_of(name),
                "looks": remarks,
                "filled": filled,
                "icon": "ring" if not filled else "half" if remarks else "check",
            }
        )
    return {
        "parts": parts,
        "remarks": found,
        "to_look_at": sum(r.kind == "look" for r in found),
        "complete": all(part["filled"] for part in parts) and not facts,
        "worth": worth(now.minutes, now.rate_band),
    }


def boxes(parts: Sequence[Mapping[str, Any]], form: TaskForm) -> list[dict[str, Any]]:
    """The long texts with their fields, in the order of the page."""
    return [
        {**part, "field": form[part["name"]], "text": form.now(part["name"])}
        for part in parts
        if part["name"] in TEXT_PARTS
    ]


def shown(texts: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """What a preview shows of the boxes: (label, text) where there is one."""
    return [(box["label"], box["text"]) for box in texts if box["text"]]


def preview(request: HttpRequest, thing: Prompt, form: TaskForm) -> HttpResponse:
    """The texts as colleagues will read them: a fragment for the page's script."""
    texts = [(label_of(part), form.now(part)) for part in TEXT_PARTS if form.now(part)]
    facts = {"texts": texts, "title": form.now("title"), "task": thing}
    return render(request, "authoring/_preview.html", facts)


def kept(answer: HttpResponse) -> HttpResponse:
    """The editor's page, never from a cache: going back must show the text as it is saved."""
    answer["Cache-Control"] = "no-store"
    return answer


def saved(at: datetime, version: int) -> JsonResponse:
    """The answer to an autosave: the time of day and the version to save over next."""
    return JsonResponse({"saved_at": f"{timezone.localtime(at):%H:%M:%S}", "version": version})
