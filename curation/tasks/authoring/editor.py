"""What the editors of tasks and trial tasks share: the form's values and the remarks on them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.tasks.attachments.queries import files_of
from curation.tasks.authoring import checks
from curation.tasks.authoring.forms import TaskForm
from curation.tasks.task.fields import EDITABLE, FIELD, PARTS, TEXT_PARTS, label_of, needed_parts
from curation.tasks.task.models import Prompt
from curation.tasks.task.task_value import value_sentence

WrittenT = TypeVar("WrittenT", bound=Prompt)


def unsaved_copy(thing: WrittenT, form: TaskForm, **owner: Any) -> WrittenT:
    """Return an unsaved copy of the thing with the form's values; unreadable fields are empty.

    Args:
        owner: attributes that the form does not hold but the checks read, such as the domain.
    """
    if not form.is_bound:
        return thing
    form.is_valid()
    read = {name: form.cleaned_data.get(name) for name in EDITABLE}
    values = {k: FIELD[k].empty if v is None else v for k, v in read.items()}
    return type(thing)(pk=thing.pk, **owner, **values)


def chosen_domain(form: TaskForm) -> Domain | None:
    """Return the domain chosen in the form; None if there is none."""
    if not form.is_bound:
        return None
    form.is_valid()
    return form.cleaned_data.get("domain")


def typed_texts(form: TaskForm) -> dict[str, str]:
    """Return the texts of the form that are checked: field -> text."""
    return {name: form.current_text(name) for name in PARTS}


def has_tried(request: HttpRequest, thing: Prompt) -> bool:
    """Return whether the author has tried to submit it in this session.

    Until then the editor warns of nothing: an empty part is not a fault while it is being written.
    """
    return _try_key(thing) in request.session


def note_try(request: HttpRequest, thing: Prompt) -> None:
    """Remember that the author tried to submit it."""
    request.session[_try_key(thing)] = True


def _try_key(thing: Prompt) -> str:
    return f"tried:{thing._meta.model_name}:{thing.pk}"


def remarks_context(
    now: Prompt,
    form: TaskForm,
    found: Sequence[checks.Remark],
    facts: Collection[str],
    *,
    tried: bool,
) -> dict[str, Any]:
    """Return the template context for the remarks and the state of each part.

    Used for the whole page, and for the fragments that replace the remarks after a save.

    Args:
        now: the thing with the form's values.
        found: the remarks on it.
        facts: names of the facts that are missing; they count to the title.
        tried: whether the author has tried to submit; before, nothing is a warning.
    """
    parts = []
    for name in (*TEXT_PARTS, "title"):  # the facts come last
        own = {name, *facts} if name == "title" else {name}
        looks = [r for r in found if tried and r.part in own and r.kind == "look"]
        filled = bool(form.current_text(name).strip()) and not (
            name == "title" and facts and not tried
        )
        parts.append(
            {
                "name": name,
                "label": label_of(name, form.task),
                "looks": [r for r in looks if not r.missing],  # the list on top names those
                "filled": filled,
                "icon": "ring" if not filled else "half" if looks else "check",
            }
        )
    return {
        "parts": parts,
        "remarks": [r for r in found if not r.missing],
        "missing": [r for r in found if r.missing] if tried else [],
        "tried": tried,
        "to_look_at": sum(r.kind == "look" and not r.missing for r in found) if tried else 0,
        "complete": not facts
        and all(part["filled"] for part in parts if part["name"] in needed_parts(form.task)),
        "worth": value_sentence(now.minutes, now.rate_band, getattr(now, "hourly_rate", None)),
    }


def other_errors(form: TaskForm, context: Mapping[str, Any]) -> set[str]:
    """Return the fields with errors that the list of what is missing does not name."""
    return set(form.errors) - {remark.part for remark in context["missing"]}


def text_boxes(parts: Sequence[Mapping[str, Any]], form: TaskForm) -> list[dict[str, Any]]:
    """Return the long texts with their form fields, in the order of the page."""
    return [
        {**part, "field": form[part["name"]], "text": form.current_text(part["name"])}
        for part in parts
        if part["name"] in TEXT_PARTS and part["name"] in form.fields
    ]


def preview_texts(texts: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return (label, text) of the boxes that have a text, for the preview."""
    return [(box["label"], box["text"]) for box in texts if box["text"]]


def preview(request: HttpRequest, thing: Prompt, form: TaskForm) -> HttpResponse:
    """Render the texts as colleagues will read them: a fragment for the page's script."""
    texts = [
        (label_of(part, form.task), text)
        for part in TEXT_PARTS
        if part in form.fields and (text := form.current_text(part))
    ]
    facts = {
        "texts": texts,
        "title": form.current_text("title"),
        "task": thing,
        "files": files_of(thing),
    }
    return render(request, "tasks/authoring/_preview.html", facts)


def never_cached(answer: HttpResponse) -> HttpResponse:
    """Forbid caching the editor's page, so that going back shows the text as it is saved."""
    answer["Cache-Control"] = "no-store"
    return answer


def autosave_reply(at: datetime, version: int) -> JsonResponse:
    """Return the reply to an autosave: the time of day, and the version for the next save."""
    return JsonResponse({"saved_at": f"{timezone.localtime(at):%H:%M:%S}", "version": version})


def as_text(values: Any) -> dict[str, str]:
    """Return the values of a save as text, nothing for None."""
    return {name: "" if value is None else str(value) for name, value in (values or {}).items()}
