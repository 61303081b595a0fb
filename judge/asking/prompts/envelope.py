"""The envelope of a model's reply: the one JSON object that was asked for, out of what came.

It repairs a code fence or text around the object, a trailing comma and a bare list, nothing else.
A reply with two different answers counts as no answer.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

MAX_REPLY = 2_000_000  # characters; a longer reply is not read
MAX_RECORDED = 50  # repairs and unknown ids that are told


class UnreadableError(Exception):
    """The reply cannot be read; the message says why."""


class Ambiguous(dict[str, Any]):
    """A JSON object that has a key twice with different values."""


def read_list(text: str, name: str, repaired: list[str]) -> list[Any]:
    """Return the list called `name` of the object in a reply.

    Args:
        repaired: takes what was repaired, in words.

    Raises:
        UnreadableError: there is no such object, or more than one answer.
    """
    value = _read(text, lambda found: isinstance(found.get(name), list), repaired, bare=True)
    if isinstance(value, list):
        note(repaired, "bare list")
        return value
    entries = value.get(name)
    if isinstance(value, Ambiguous):
        raise UnreadableError("The reply holds more than one answer.")
    if not isinstance(entries, list):
        raise UnreadableError(f"The reply has no list “{name}”.")
    return entries


def read_object(text: str, names: Iterable[str], repaired: list[str]) -> dict[str, Any]:
    """Return the object with all these names in a reply; other names are left in it.

    Args:
        repaired: takes what was repaired, in words.

    Raises:
        UnreadableError: there is no such object, or more than one answer.
    """
    wanted = tuple(names)
    value = _read(text, lambda found: all(name in found for name in wanted), repaired, bare=False)
    if isinstance(value, Ambiguous):
        raise UnreadableError("The reply holds more than one answer.")
    if not isinstance(value, dict):
        raise UnreadableError("The reply is not the object that was asked for.")
    if lacking := [name for name in wanted if name not in value]:
        raise UnreadableError(f"The reply has no “{lacking[0]}”.")
    return value


def _read(
    text: str, fits: Callable[[dict[str, Any]], bool], repaired: list[str], *, bare: bool
) -> Any:
    """Return the object of a reply, or a bare list where `bare` allows one."""
    if len(text) > MAX_REPLY:
        raise UnreadableError(f"The reply is longer than {MAX_REPLY:,} characters.")
    body = text.strip().lstrip("\ufeff").strip()
    if not body:
        raise UnreadableError("The reply is empty.")
    if re.match(r"<(?:!doctype|html|head|body|\?xml)\b", body, re.IGNORECASE):
        raise UnreadableError("The reply is a web page.")
    fence = re.fullmatch(r"```[\w-]*[ \t]*\n(.*?)\n?[ \t]*```", body, re.DOTALL)
    if fence and "```" not in fence.group(1):
        note(repaired, "code fence")
        body = fence.group(1).strip()

    value = _load(body, repaired)
    if isinstance(value, dict) or (bare and isinstance(value, list)):
        return value

    answers = []
    for piece in _balanced(body):
        value = _load(piece, repaired)
        if isinstance(value, dict) and fits(value):
            answers.append(value)
    if not answers:
        cut = body.startswith("{") or "{" in body
        raise UnreadableError(
            "The reply ends too early or is not JSON." if cut else "The reply holds no JSON."
        )
    if any(answer != answers[0] for answer in answers[1:]):
        # One of them may be quoted from the candidate's response, and which one is unknown.
        raise UnreadableError("The reply holds more than one answer.")
    note(repaired, "text around the object")
    return answers[0]


def _load(body: str, repaired: list[str]) -> Any:
    """Return the JSON value of `body` with trailing commas repaired, or `_NOT_JSON`."""
    try:
        return json.loads(body, object_pairs_hook=_pairs, parse_constant=_refuse)
    except (ValueError, RecursionError):
        pass
    without = _without_trailing_commas(body)
    if without == body:
        return _NOT_JSON
    try:
        value = json.loads(without, object_pairs_hook=_pairs, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return _NOT_JSON
    note(repaired, "trailing comma")
    return value


_NOT_JSON = object()


def _pairs(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    twice = False
    for name, item in pairs:
        twice = twice or (name in value and (value[name] is not item and value[name] != item))
        value[name] = item
    return Ambiguous(value) if twice else value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


# An unclosed string matches up to the end of the text, so that the scan stays linear.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*(?:"|\\?\Z)'
_COMMA = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


def _without_trailing_commas(body: str) -> str:
    return _COMMA.sub(lambda match: match.group(1) or "", body)


_TOKEN = re.compile(rf"{_STRING}|[{{}}]", re.DOTALL)


def _balanced(body: str) -> list[str]:
    """Return the outermost balanced objects in `body`, from left to right, in one pass.

    Braces inside JSON strings do not count; an unclosed brace is skipped.
    """
    found: list[tuple[int, int]] = []
    position = body.find("{")
    while position >= 0:
        opened: list[int] = []
        end = len(body)
        for match in _TOKEN.finditer(body, position):
            if match.group() == "{":
                opened.append(match.start())
            elif match.group() == "}":
                start = opened.pop()
                while found and found[-1][0] > start:
                    found.pop()
                found.append((start, match.end()))
                if not opened:
                    # Go on at the next brace: a quotation mark in the text between two objects
                    # does not open a JSON string.
                    end = match.end()
                    break
        position = body.find("{", end)
    return [body[start:end] for start, end in found]


# -- words --------------------------------------------------------------------------------------

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


def tidy(text: str) -> str:
    """Return `text` without the characters a database refuses."""
    return _UNSTORABLE.sub("", text)


def squeeze(text: str) -> str:
    """Return `text` with one space for each run of white space."""
    return " ".join(text.split())


def note(repaired: list[str], what: str) -> None:
    """Add a repair in words, each once, MAX_RECORDED at most."""
    if what not in repaired and len(repaired) < MAX_RECORDED:
        repaired.append(what)
