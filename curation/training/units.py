"""The training: short units to read, each with exercises that teach. Keys never leave this module.

`training.json` is product data, in English and Chinese. `training_editions.json` is its history:
each edition lists its units with the digest of what was in them, so a unit that did not change
stands, and one that did is taken again. Changing a unit means adding an edition
(`docs/contributing.md`); a test holds the two files together.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import get_language

_CONTENT = Path(__file__).with_name("training.json")
_EDITIONS = Path(__file__).with_name("training_editions.json")
CHOICES, LINES = ("choose", "fault"), ("1", "2", "both")  # kinds with one option; where pieces go


@dataclass(frozen=True)
class Exercise:
    """One exercise, without its key and without its explanations.

    Attributes:
        kind: choose (one of the options), fault (the option where the line goes wrong), split
            (each option, a piece of a line, goes into line 1, line 2 or both), order (each
            option gets its place).
    """

    id: str
    kind: str
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """One unit, in the reader's language. The body is Markdown."""

    key: str
    title: str
    body: str
    minutes: int
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class Mark:
    """What an answer is worth, and why. A wrong answer's words never name the right one."""

    right: bool
    words: str


@dataclass(frozen=True)
class Edition:
    """One edition: its name, the digest of each unit, and in a sentence what changed in which."""

    name: str
    digests: Mapping[str, str]
    changes: Mapping[str, str]


@lru_cache(maxsize=1)
def _content() -> Mapping[str, Any]:
    return json.loads(_CONTENT.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def history() -> Sequence[Mapping[str, Any]]:
    """Return all editions, the oldest first."""
    return json.loads(_EDITIONS.read_text(encoding="utf-8"))


def _said(texts: Mapping[str, Any]) -> Any:
    """The text in the active language; English where a language is missing."""
    return texts.get((get_language() or "en").split("-")[0], texts["en"])


def editions() -> tuple[Edition, ...]:
    """Every edition there was, the current one last."""
    return tuple(
        Edition(
            row["edition"],
            row["units"],
            {key: _said(words) for key, words in row["changes"].items()},
        )
        for row in history()
    )


def current_edition() -> str:
    """The name of the edition in force, as stored with what a person passed."""
    return history()[-1]["edition"]


def unit_keys() -> tuple[str, ...]:
    """The units in reading order, by key."""
    return tuple(row["key"] for row in _content()["units"])


def standing_passes() -> dict[str, list[str]]:
    """Unit of the current edition -> editions in which it was word for word the same."""
    now = history()[-1]["units"]
    return {
        key: [row["edition"] for row in history() if row["units"].get(key) == digest]
        for key, digest in now.items()
    }


def completed_before(taken: Collection[tuple[str, str]]) -> bool:
    """Whether somebody completed an edition before the current one.

    Args:
        taken: edition and unit of everything the person passed.
    """
    digests = {row["edition"]: row["units"] for row in history()}
    read = {(unit, digests.get(edition, {}).get(unit)) for edition, unit in taken}
    return any(set(row["units"].items()) <= read for row in history()[:-1])


def units() -> tuple[Unit, ...]:
    """The units in reading order, in the active language."""
    return tuple(_unit(row) for row in _content()["units"])


def unit(key: str) -> Unit | None:
    """One unit in the active language; None if there is none of this key."""
    row = _row(key)
    return _unit(row) if row else None


def _row(key: str) -> Mapping[str, Any] | None:
    return next((row for row in _content()["units"] if row["key"] == key), None)


def _unit(row: Mapping[str, Any]) -> Unit:
    return Unit(
        key=row["key"],
        title=_said(row["title"]),
        body=_said(row["body"]),
        minutes=row["minutes"],
        exercises=tuple(
            Exercise(one["id"], one["kind"], _said(one["text"]), tuple(_said(one["options"])))
            for one in row["exercises"]
        ),
    )


def digest(key: str) -> str:
    """What identifies the content of a unit, in all its languages: the start of its SHA-256."""
    body = json.dumps(_row(key), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(body.encode()).hexdigest()[:16]


# --- marking --------------------------------------------------------------------------------------
def mark(key: str, answers: Mapping[str, Any]) -> dict[str, Mark]:
    """Mark the exercises of a unit that were answered; the others are left out.

    Args:
        answers: exercise id -> an option's index (choose, fault), a list of "1", "2", "both"
            (split), or a list of places counted from 0 (order).
    """
    row = _row(key)
    assert row is not None, key
    return {
        one["id"]: _mark(one, answers[one["id"]])
        for one in row["exercises"]
        if one["id"] in answers
    }


def _mark(one: Mapping[str, Any], answer: Any) -> Mark:
    if one["kind"] in CHOICES:
        known = isinstance(answer, int) and 0 <= answer < len(one["why"])
        return Mark(answer == one["key"], _said(one["why"][answer]) if known else "")
    right = answer == one["key"]
    if one["kind"] == "split" and isinstance(answer, list):
        turned = [{"1": "2", "2": "1"}.get(place, place) for place in answer]
        right = right or turned == one["key"]  # which of the two comes first is the same
    return Mark(right, _said(one["right"] if right else one["hint"]))


def answer_key(key: str) -> dict[str, Any]:
    """The right answers of a unit. For marking and for what walks the product, never for a page."""
    row = _row(key)
    assert row is not None, key
    return {one["id"]: one["key"] for one in row["exercises"]}
