"""The training: short units to read, each with exercises.

`training.json` holds the units in English and Chinese. `training_editions.json` is its history:
each edition lists its units with a digest of their content. A pass stays valid as long as the
unit does not change; a changed unit is taken again. Changing a unit means adding an edition
(`docs/contributing.md`); a test checks that the two files agree. Pages get exercises without
their keys.
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
CHOICES = ("choose", "fault")  # the kinds answered with one option
LINES = ("1", "2", "both")  # where a piece of a split line goes


@dataclass(frozen=True)
class Exercise:
    """An exercise without its key and its explanations.

    Attributes:
        kind: "choose" (pick an option), "fault" (pick the option that has the fault), "split"
            (put each option, a piece of a line, into line 1, line 2 or both), "order" (number
            the options).
    """

    id: str
    kind: str
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """A unit in the reader's language. The body is Markdown."""

    key: str
    title: str
    body: str
    minutes: int
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class ExerciseResult:
    """Whether an answer is right, and why. The words on a wrong answer never give the right one."""

    right: bool
    words: str


@dataclass(frozen=True)
class Edition:
    """An edition: its name, the digest of each unit, and a sentence about each changed unit."""

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


def _localized(texts: Mapping[str, Any]) -> Any:
    """Return the text in the active language; English if it has none in that language."""
    return texts.get((get_language() or "en").split("-")[0], texts["en"])


def editions() -> tuple[Edition, ...]:
    """Return all editions in the active language, the current one last."""
    return tuple(
        Edition(
            row["edition"],
            row["units"],
            {key: _localized(words) for key, words in row["changes"].items()},
        )
        for row in history()
    )


def current_edition() -> str:
    """Return the name of the current edition, as stored with a pass."""
    return history()[-1]["edition"]


def unit_keys() -> tuple[str, ...]:
    """Return the keys of the units in reading order."""
    return tuple(row["key"] for row in _content()["units"])


def valid_editions() -> dict[str, list[str]]:
    """Return unit key -> names of the editions in which the unit is as it is now.

    A pass in one of these editions is valid.
    """
    now = history()[-1]["units"]
    return {
        key: [row["edition"] for row in history() if row["units"].get(key) == digest]
        for key, digest in now.items()
    }


def completed_earlier_edition(taken: Collection[tuple[str, str]]) -> bool:
    """Return whether somebody completed an edition before the current one.

    Args:
        taken: (edition, unit) of everything the person passed.
    """
    digests = {row["edition"]: row["units"] for row in history()}
    read = {(unit, digests.get(edition, {}).get(unit)) for edition, unit in taken}
    return any(set(row["units"].items()) <= read for row in history()[:-1])


def units() -> tuple[Unit, ...]:
    """Return the units in reading order, in the active language."""
    return tuple(_unit(row) for row in _content()["units"])


def unit(key: str) -> Unit | None:
    """Return a unit in the active language; None if there is none with this key."""
    row = _row(key)
    return _unit(row) if row else None


def _row(key: str) -> Mapping[str, Any] | None:
    return next((row for row in _content()["units"] if row["key"] == key), None)


def _unit(row: Mapping[str, Any]) -> Unit:
    return Unit(
        key=row["key"],
        title=_localized(row["title"]),
        body=_localized(row["body"]),
        minutes=row["minutes"],
        exercises=tuple(
            Exercise(
                one["id"], one["kind"], _localized(one["text"]), tuple(_localized(one["options"]))
            )
            for one in row["exercises"]
        ),
    )


def digest(key: str) -> str:
    """Return the first 16 digits of the SHA-256 of a unit's content, in all languages."""
    body = json.dumps(_row(key), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(body.encode()).hexdigest()[:16]


# --- grading --------------------------------------------------------------------------------------
def grade(key: str, answers: Mapping[str, Any]) -> dict[str, ExerciseResult]:
    """Grade the exercises of a unit that were answered; the others are left out.

    Args:
        answers: exercise id -> an option's index (choose, fault), a list of "1", "2", "both"
            (split), or a list of positions counted from 0 (order).
    """
    row = _row(key)
    assert row is not None, key
    return {
        one["id"]: _grade(one, answers[one["id"]])
        for one in row["exercises"]
        if one["id"] in answers
    }


def _grade(one: Mapping[str, Any], answer: Any) -> ExerciseResult:
    if one["kind"] in CHOICES:
        known = isinstance(answer, int) and 0 <= answer < len(one["why"])
        return ExerciseResult(answer == one["key"], _localized(one["why"][answer]) if known else "")
    right = answer == one["key"]
    if one["kind"] == "split" and isinstance(answer, list):
        turned = [{"1": "2", "2": "1"}.get(place, place) for place in answer]
        right = right or turned == one["key"]  # the order of the two lines does not matter
    return ExerciseResult(right, _localized(one["right"] if right else one["hint"]))


def answer_key(key: str) -> dict[str, Any]:
    """Return exercise id -> right answer. Show it only to a person who has passed the unit."""
    row = _row(key)
    assert row is not None, key
    return {one["id"]: one["key"] for one in row["exercises"]}
