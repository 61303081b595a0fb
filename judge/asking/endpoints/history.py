"""Histories of endpoints and models in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judge.asking.calls.models import Call
from judge.asking.endpoints.models import Endpoint, ProgrammeModels, ServedModel

SHOWN = 50

WORDS: Mapping[str, Any] = {
    "label": gettext_lazy("name for people"),
    "protocol": gettext_lazy("requests"),
    "address": gettext_lazy("address"),
    "key_variable": gettext_lazy("variable of the key"),
    "calls_at_once": gettext_lazy("calls at once"),
    "retired": gettext_lazy("retired"),
    "family": gettext_lazy("house"),
    "pictures": gettext_lazy("reads pictures"),
    "structured_output": gettext_lazy("replies in JSON by a schema"),
    "search": gettext_lazy("search of the web"),
    "effort": gettext_lazy("effort"),
    "context_tokens": gettext_lazy("tokens it reads"),
    "most_output_tokens": gettext_lazy("tokens it writes"),
    "temperature": gettext_lazy("temperature"),
    "top_p": gettext_lazy("top p"),
    "seed": gettext_lazy("seed"),
    "max_tokens": gettext_lazy("most tokens"),
    "system": gettext_lazy("system prompt"),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of a person: (what, before, after) of each field; "" for nothing."""

    at: datetime
    who: Any
    changes: tuple[tuple[str, str, str], ...]


def endpoint_history(endpoint: Endpoint) -> list[Entry]:
    """Return the latest changes of an endpoint, newest first. One query."""
    return [_entry(event) for event in endpoint.history.select_related("actor")[:SHOWN]]


def model_history(served: ServedModel) -> list[Entry]:
    """Return the latest changes of a model and its parameters, newest first. One query."""
    return [_entry(event) for event in served.history.select_related("actor")[:SHOWN]]


def programme_history() -> list[tuple[ProgrammeModels, str]]:
    """Return the latest choices of the programme's models, each in words. One query."""
    return [(row, _chosen(row)) for row in ProgrammeModels.objects.select_related("set_by")[:SHOWN]]


def _chosen(row: ProgrammeModels) -> str:
    parts = [
        (_("drafts"), row.draft),
        (_("baseline answers"), row.baseline),
        (_("probes"), ", ".join(row.probes)),
        (_("grader"), row.grader),
        (_("opinions on lines"), row.lint),
        (_("labels of tasks"), row.labels),
    ]
    named = [
        _("%(what)s: %(model)s") % {"what": what, "model": model} for what, model in parts if model
    ]
    return " · ".join(named) or _("no model for anything")


def _entry(event: Any) -> Entry:
    changes = [
        (label_of(name), worded(name, before), worded(name, after))
        for name, (before, after) in event.changes.items()
    ]
    return Entry(event.at, event.actor, tuple(changes))


def label_of(name: str) -> str:
    """Return a field in words; "judge.seed" is the seed for judging."""
    purpose, dot, field = name.rpartition(".")
    label = str(WORDS.get(field, field))
    if dot and purpose in Call.Purpose.values:
        return _("%(purpose)s, %(what)s") % {
            "purpose": Call.Purpose(purpose).label,
            "what": label,
        }
    return label


def worded(name: str, value: Any) -> str:
    """Return the value of a field for people; "" for nothing."""
    if name == "protocol" and value in Endpoint.Protocol.values:
        return str(Endpoint.Protocol(value).label)
    if value is True:
        return _("yes")
    if value is False:
        return _("no")
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int) and not name.endswith("seed"):  # a seed is a name, not an amount
        return f"{value:,}"
    return "" if value is None else str(value)
