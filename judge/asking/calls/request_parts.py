"""Cut the texts of a stored request into parts for people to read, and list its settings.

A prompt fences what others wrote by `<<<NAME code` and `code NAME>>>`, with a code that the text
between cannot hold (see `judge.asking.prompts.builder`). So the first closing fence with that code
ends a part, and whatever looks like a fence inside it is text. Pure: no templates, no languages.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.asking.providers.vendor import ASKS_FOR_JSON

INSTRUCTIONS, BETWEEN, QUESTION, WHOLE = "instructions", "between", "question", "whole"
TABLES = ("checklist", "lines", "decisions")

_OPENING = re.compile(r"^<<<([A-Z]+) ([0-9A-Za-z]{12,64})$", re.MULTILINE)
# Fields of a request in the vendors' words: its texts, and fields that are no settings.
_TEXTS = ("system", "messages")
_TOOLS = ("web_search_options", "tools")  # the one tool that we name
_NOT_SAID = frozenset({"model", "purpose", "response_format", "prompt_cache_key", *_TEXTS})


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a checklist, or what was decided about one; `met` and `why` only for decisions."""

    id: str
    line: str = ""
    met: bool | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of what was asked.

    Attributes:
        name: "instructions", "between", "question", "whole", or the name in the fence in lower
            case: "task", "checklist", "example", "decisions", "candidate", "reference", …
        rows: the lines of a checklist or of decisions, where all of them could be read.
    """

    name: str
    text: str
    rows: tuple[Row, ...] = ()


def texts_of(request: Mapping[str, Any]) -> list[str]:
    """Return the texts of a request: the system's, then the messages'. [] if there are none."""
    found: list[str] = []
    for name in _TEXTS:
        blocks = request.get(name)
        for block in blocks if isinstance(blocks, list) else [blocks]:
            found += _texts_in(block)
    return [text for text in found if text.strip()]


def _texts_in(block: object) -> Iterator[str]:
    if isinstance(block, str):
        yield block
    elif isinstance(block, Mapping):
        for name in ("content", "text"):
            inner = block.get(name)
            for piece in inner if isinstance(inner, list) else [inner]:
                yield from _texts_in(piece)


def parts_of(request: Mapping[str, Any], *, fenced: bool = True) -> list[Part]:
    """Return the parts of a request, in order.

    Args:
        fenced: whether the prompt fences what others wrote. Where it does not, a text is one part:
            its author could have written fences, too.
    """
    texts = texts_of(request)
    if not fenced:
        return [
            Part(WHOLE if number else INSTRUCTIONS, text.strip())
            for number, text in enumerate(texts)
        ]
    found: list[Part] = []
    for text in texts:
        found += _cut(text)
    if found and not _is_fenced(found[0]):
        found[0] = Part(INSTRUCTIONS, found[0].text)
    if len(found) > 1 and not _is_fenced(found[-1]):
        found[-1] = Part(QUESTION, found[-1].text)
    return found


def _is_fenced(part: Part) -> bool:
    return part.name not in (INSTRUCTIONS, BETWEEN, QUESTION, WHOLE)


def _cut(text: str) -> Iterator[Part]:
    position = 0
    while True:
        opening = _OPENING.search(text, position)
        if opening is None:
            break
        name, code = opening.groups()
        closing = f"\n{code} {name}>>>"
        end = text.find(closing, opening.end())
        if end < 0:
            break  # cut short, or no fence of ours
        yield from _between(text[position : opening.start()])
        inside = text[opening.end() + 1 : end]
        yield Part(name.lower(), inside, _rows(name.lower(), inside))
        position = end + len(closing)
    yield from _between(text[position:])


def _between(text: str) -> Iterator[Part]:
    if text.strip():
        yield Part(BETWEEN, text.strip())


def _rows(name: str, text: str) -> tuple[Row, ...]:
    """Read one JSON object per line, as `judge.asking.prompts.builder` writes checklists; else
    ().
    """
    if name not in TABLES:
        return ()
    rows = []
    for line in filter(None, text.split("\n")):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return ()
        if not isinstance(value, dict) or not isinstance(value.get("id"), str):
            return ()
        met = value.get("met")
        rows.append(
            Row(
                id=value["id"],
                line=str(value.get("line") or ""),
                met=met if isinstance(met, bool) else None,
                why=str(value.get("why") or ""),
            )
        )
    return tuple(rows)


def wanted_in(parts: list[Part]) -> list[str]:
    """Return the ids at the end of the question to a judge; all lines if it names none."""
    lines = [row.id for part in parts if part.name == "checklist" for row in part.rows]
    said = parts[-1].text.rstrip() if parts and parts[-1].name == QUESTION else ""
    at = said.find("[", said.rfind("\n") + 1)
    if at >= 0:
        try:
            named = json.loads(said[at:])
        except (ValueError, RecursionError):
            named = None
        if isinstance(named, list) and named and all(isinstance(name, str) for name in named):
            return named
    return lines


def parameters_of(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the settings other than texts and reply schema, by the vendor's names."""
    found = []
    for name, value in request.items():
        if name in _NOT_SAID:
            continue
        if name in _TOOLS:
            found.append((name, "web search"))
            continue
        inner = value.items() if isinstance(value, Mapping) else [("", value)]
        for under, one in inner:
            if isinstance(one, str | int | float | bool) or one is None:
                shown = one if isinstance(one, str) else json.dumps(one)
                found.append((f"{name}.{under}" if under else name, shown))
    return found


def is_fenced(request: Mapping[str, Any]) -> bool:
    """Return whether the prompt fences what others wrote.

    All do but the one that asks for an answer, which alone has no schema for the reply.
    """
    if "purpose" in request:
        return bool(request["purpose"] != "answer")
    if any(ASKS_FOR_JSON in text for text in texts_of(request)[:1]):
        return True
    output = request.get("output_config")
    return "response_format" in request or (isinstance(output, Mapping) and "format" in output)
