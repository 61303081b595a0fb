"""Reading the answers to a unit's exercises; what was not chosen is left out."""

from typing import Any

from django.http import QueryDict

from curation.training.units import CHOICES, LINES, Unit


def read_answers(data: QueryDict, unit: Unit) -> dict[str, Any]:
    """Exercise id -> answer, of the exercises that were answered in full.

    A choice sends `ID`; pieces and places send `ID-0`, `ID-1` and so on.
    """
    found: dict[str, Any] = {}
    for one in unit.exercises:
        if one.kind in CHOICES:
            raw = data.get(one.id, "")
            if raw in _numbers(len(one.options)):
                found[one.id] = int(raw)
            continue
        known = LINES if one.kind == "split" else _numbers(len(one.options))
        sent = [data.get(f"{one.id}-{n}", "") for n in range(len(one.options))]
        if all(raw in known for raw in sent):
            found[one.id] = sent if one.kind == "split" else [int(raw) for raw in sent]
    return found


def read_begun(data: QueryDict, unit: Unit) -> dict[str, list[str]]:
    """Exercise id -> what was chosen so far, of the exercises that are not answered whole."""
    found: dict[str, list[str]] = {}
    for one in unit.exercises:
        if one.kind in CHOICES:
            continue
        known = LINES if one.kind == "split" else _numbers(len(one.options))
        sent = [data.get(f"{one.id}-{n}", "") for n in range(len(one.options))]
        chosen = [raw if raw in known else "" for raw in sent]
        if any(chosen) and not all(chosen):
            found[one.id] = chosen
    return found


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(count))
