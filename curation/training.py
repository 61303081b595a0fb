"""The training: four units to read, and a check that teaches. The key never leaves this module.

`training.json` is product data: it is versioned by its own `version`, which is stored with every
application that passed the check.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import get_language

_FILE = Path(__file__).with_name("training.json")


@dataclass(frozen=True)
class Unit:
    """One unit, in the reader's language. The body is Markdown."""

    key: str
    title: str
    body: str


@dataclass(frozen=True)
class CheckQuestion:
    """A question of the check, without its key and without its explanation."""

    id: str
    text: str
    options: tuple[str, ...]


@lru_cache(maxsize=1)
def _content() -> Mapping[str, Any]:
    return json.loads(_FILE.read_text(encoding="utf-8"))


def _said(texts: Mapping[str, Any]) -> Any:
    """The text in the active language; English where a language is missing."""
    return texts.get((get_language() or "en").split("-")[0], texts["en"])


def current_version() -> str:
    """The edition of the units, as stored with an application."""
    return _content()["version"]


def units() -> tuple[Unit, ...]:
    """The units in reading order, in the active language."""
    return tuple(Unit(u["key"], _said(u["title"]), _said(u["body"])) for u in _content()["units"])


def questions() -> tuple[CheckQuestion, ...]:
    """The check's questions in the active language, without keys."""
    return tuple(
        CheckQuestion(q["id"], _said(q["text"]), tuple(_said(q["options"])))
        for q in _content()["check"]
    )


def explanation(question: str) -> str:
    """Why an answer is right or wrong; shown only once the question was answered."""
    return next(_said(q["explanation"]) for q in _content()["check"] if q["id"] == question)


def answer_key() -> dict[str, int]:
    """Question id -> index of the right option. For marking only, never for a page."""
    return {q["id"]: q["key"] for q in _content()["check"]}
