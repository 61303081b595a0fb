"""Readers of the answers to a unit's exercises."""

from typing import Any

from django.http import QueryDict

from curation.qualifying.training.units import CHOICES, LINES, Unit


def read_answers(data: QueryDict, unit: Unit) -> dict[str, Any]:
    """Return exercise id -> answer, for the exercises that were answered completely.

    A choice sends `ID`; a split and an order send `ID-0`, `ID-1` and so on.
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


def read_partial_answers(data: QueryDict, unit: Unit) -> dict[str, list[str]]:
    """Return exercise id -> choices so far, for the exercises that are partly answered.

    A choice not made yet is "".
    """
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
