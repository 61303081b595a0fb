"""Parses the replies of models; only what is unambiguous counts.

It repairs a code fence or text around the object, a trailing comma and a bare list, nothing else.
A reply with two different answers counts as no answer. What cannot be read is missing and can be
asked again; it never becomes a score.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.providers.inputs import DIMENSIONS, IMPORTANCES

MAX_REPLY = 2_000_000  # characters; a longer reply is not read
MAX_WHY = 4_000
MAX_LINE = 2_000
MAX_SAYS = 600
MAX_LINES = 200
_MAX_RECORDED = 50

Verdict = tuple[bool | None, str]


@dataclass(frozen=True)
class Parsed:
    """The verdicts of one reply.

    Attributes:
        verdicts: wanted id -> (met, why); met is None for an abstention.
        missing: wanted ids without a usable verdict, in the order asked.
        unknown: ids in the reply that were not asked for.
        conflicting: those of the missing ids whose entries contradict each other.
        repaired: what was repaired, in words.
        problem: why nothing could be read; None if something could.
    """

    verdicts: dict[str, Verdict]
    missing: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    repaired: list[str] = field(default_factory=list)
    problem: str | None = None


@dataclass(frozen=True)
class DraftLine:
    """A drafted line; `quote` is a passage of the reference answer, or ""."""

    text: str
    importance: str
    weight: int
    dimension: str
    quote: str


@dataclass(frozen=True)
class RefusedLine:
    """A refused line of a draft: its position from 1, its text and the reason."""

    position: int
    text: str
    reason: str


@dataclass(frozen=True)
class ParsedDraft:
    """The lines of one draft; `problem` says why nothing could be read, else it is None."""

    lines: tuple[DraftLine, ...]
    refused: tuple[RefusedLine, ...] = ()
    repaired: list[str] = field(default_factory=list)
    problem: str | None = None


class _UnreadableError(Exception):
    """The reply cannot be read; the message says why."""


class _Ambiguous(dict[str, Any]):
    """A JSON object that has a key twice with different values."""


def parse_verdicts(text: str, wanted_ids: Sequence[str]) -> Parsed:
    """Parse the verdicts on `wanted_ids`. Never raises.

    `met` has to be a JSON true, false or null: "true", 1 and 0 are refused, because a model that
    leaves the schema there has usually left the scale too. Entries of one id that agree count
    once; if they differ, the id is missing.
    """
    wanted = tuple(dict.fromkeys(wanted_ids))
    repaired: list[str] = []
    try:
        entries = _envelope(text, "verdicts", repaired)
    except _UnreadableError as problem:
        return Parsed({}, wanted, repaired=repaired, problem=str(problem))

    found: dict[str, list[tuple[object, str]]] = {}
    unknown: dict[str, None] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            _note(repaired, "an entry that is not an object")
            continue
        name = _identifier(entry.get("id"), wanted, repaired)
        if name is None:
            _note(repaired, "an entry without an id")
        elif name not in wanted:
            unknown[_tidy(name)[:200]] = None
        else:
            found.setdefault(name, []).append(_outcome(entry, repaired))

    verdicts: dict[str, Verdict] = {}
    conflicting = []
    for name in wanted:
        outcomes = found.get(name, [])
        kinds = {outcome for outcome, _ in outcomes}
        if len(kinds) > 1:
            conflicting.append(name)
        elif kinds and kinds != {"unusable"}:
            if len(outcomes) > 1:
                _note(repaired, "repeated entries that agree")
            met, why = outcomes[0]
            verdicts[name] = ({"met": True, "unmet": False}.get(str(met)), why)
    return Parsed(
        verdicts=verdicts,
        missing=tuple(name for name in wanted if name not in verdicts),
        unknown=tuple(list(unknown)[:_MAX_RECORDED]),
        conflicting=tuple(conflicting),
        repaired=repaired,
    )


def parse_draft(text: str, *, reference: str | None = None) -> ParsedDraft:
    """Parse the lines of a draft; unusable lines are refused with a reason. Never raises.

    Args:
        reference: the reference answer. A quote that does not occur in it (apart from white
            space) is invented, so it is emptied and noted. None skips this check.
    """
    repaired: list[str] = []
    try:
        entries = _envelope(text, "lines", repaired)
    except _UnreadableError as problem:
        return ParsedDraft((), repaired=repaired, problem=str(problem))

    lines: list[DraftLine] = []
    refused: list[RefusedLine] = []
    seen: set[str] = set()
    evidence = None if reference is None else _squeeze(reference)
    for position, entry in enumerate(entries, start=1):
        line = _draft_line(entry, repaired)
        if isinstance(line, DraftLine) and len(lines) >= MAX_LINES:
            line = f"the draft is longer than {MAX_LINES} lines"
        if isinstance(line, DraftLine) and _squeeze(line.text).casefold() in seen:
            line = "says the same as an earlier line"
        if isinstance(line, str):
            words = entry.get("text") if isinstance(entry, dict) else None
            words = _tidy(words)[:200] if isinstance(words, str) else ""
            if len(refused) < MAX_LINES:
                refused.append(RefusedLine(position, words, line))
            continue
        seen.add(_squeeze(line.text).casefold())
        if evidence is not None and line.quote and _squeeze(line.quote) not in evidence:
            _note(repaired, f"line {position}: the quote is not in the reference")
            line = DraftLine(line.text, line.importance, line.weight, line.dimension, "")
        lines.append(line)
    return ParsedDraft(tuple(lines), tuple(refused), repaired)


def parse_opinions(text: str, wanted_ids: Sequence[str]) -> dict[str, str] | None:
    """Parse the opinions on `wanted_ids`; None if nothing could be read. Never raises.

    Unknown ids and empty entries are left out. Of several entries on one line the first counts,
    cut to MAX_SAYS characters.
    """
    try:
        entries = _envelope(text, "opinions", [])
    except _UnreadableError:
        return None
    wanted = set(wanted_ids)
    found: dict[str, str] = {}
    for entry in entries:
        if not isinstance(entry, dict) or isinstance(entry, _Ambiguous):
            continue
        name, says = entry.get("id"), entry.get("says")
        if not isinstance(name, str) or not isinstance(says, str) or name.strip() not in wanted:
            continue
        words = " ".join(_tidy(says).split())
        if words:
            found.setdefault(name.strip(), words[:MAX_SAYS])
    return found


def _draft_line(entry: object, repaired: list[str]) -> DraftLine | str:
    """Return the line, or the reason why it is refused."""
    if not isinstance(entry, dict) or isinstance(entry, _Ambiguous):
        return "not one object"
    text, quote, weight = entry.get("text"), entry.get("quote"), entry.get("weight")
    importance, dimension = entry.get("importance"), entry.get("dimension")
    if not isinstance(text, str) or not _tidy(text).strip():
        return "no text"
    if len(text) > MAX_LINE:
        return f"longer than {MAX_LINE} characters"
    if isinstance(weight, bool) or not isinstance(weight, int) or not 1 <= weight <= 10:
        return "the weight is not a whole number from 1 to 10"
    importance = importance.strip().lower() if isinstance(importance, str) else ""
    if importance not in IMPORTANCES:
        return "the importance is none of essential, important, optional"
    dimension = dimension.strip().lower().replace(" ", "_") if isinstance(dimension, str) else ""
    if dimension not in DIMENSIONS:
        _note(repaired, "an unknown dimension became “other”")
        dimension = "other"
    quote = _tidy(quote).strip()[:MAX_LINE] if isinstance(quote, str) else ""
    return DraftLine(" ".join(_tidy(text).split()), importance, weight, dimension, quote)


def _identifier(value: object, wanted: Sequence[str], repaired: list[str]) -> str | None:
    if isinstance(value, str):
        if value not in wanted and value.strip() in wanted:
            _note(repaired, "spaces around an id")
            return value.strip()
        return value
    if isinstance(value, int) and not isinstance(value, bool) and str(value) in wanted:
        _note(repaired, "an id written as a number")
        return str(value)
    return None


def _outcome(entry: dict[str, Any], repaired: list[str]) -> tuple[str, str]:
    why = entry.get("why")
    why = _tidy(why).strip()[:MAX_WHY] if isinstance(why, str) else ""
    if isinstance(entry, _Ambiguous):
        _note(repaired, "an entry that says two things")
        return "unusable", why
    met = entry.get("met", "absent")
    if met is True:
        return "met", why
    if met is False:
        return "unmet", why
    if met is None:
        return "abstained", why
    _note(repaired, "a met that is not true, false or null")
    return "unusable", why


# -- the envelope -------------------------------------------------------------------------------


def _envelope(text: str, name: str, repaired: list[str]) -> list[Any]:
    """Return the list called `name` of the object in a reply.

    Raises:
        _UnreadableError: there is no such object, or more than one answer.
    """
    if len(text) > MAX_REPLY:
        raise _UnreadableError(f"The reply is longer than {MAX_REPLY:,} characters.")
    body = text.strip().lstrip("\ufeff").strip()
    if not body:
        raise _UnreadableError("The reply is empty.")
    if re.match(r"<(?:!doctype|html|head|body|\?xml)\b", body, re.IGNORECASE):
        raise _UnreadableError("The reply is a web page.")
    fence = re.fullmatch(r"```[\w-]*[ \t]*\n(.*?)\n?[ \t]*```", body, re.DOTALL)
    if fence and "```" not in fence.group(1):
        _note(repaired, "code fence")
        body = fence.group(1).strip()

    value = _load(body, repaired)
    if isinstance(value, list):
        _note(repaired, "bare list")
        return value
    if isinstance(value, dict):
        return _listed(value, name)

    answers = []
    for piece in _balanced(body):
        value = _load(piece, repaired)
        if isinstance(value, dict) and isinstance(value.get(name), list):
            answers.append(value)
    if not answers:
        cut = body.startswith("{") or "{" in body
        raise _UnreadableError(
            "The reply ends too early or is not JSON." if cut else "The reply holds no JSON."
        )
    if any(answer != answers[0] for answer in answers[1:]):
        # One of them may be quoted from the candidate's response, and which one is unknown.
        raise _UnreadableError("The reply holds more than one answer.")
    _note(repaired, "text around the object")
    return _listed(answers[0], name)


def _listed(value: dict[str, Any], name: str) -> list[Any]:
    entries = value.get(name)
    if isinstance(value, _Ambiguous):
        raise _UnreadableError("The reply holds more than one answer.")
    if not isinstance(entries, list):
        raise _UnreadableError(f"The reply has no list “{name}”.")
    return entries


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
    _note(repaired, "trailing comma")
    return value


_NOT_JSON = object()


def _pairs(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    twice = False
    for name, item in pairs:
        twice = twice or (name in value and (value[name] is not item and value[name] != item))
        value[name] = item
    return _Ambiguous(value) if twice else value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


# An unclosed string matches up to the end of the text, so that the scan stays linear.
_STRING = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
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


def _tidy(text: str) -> str:
    """Return `text` without the characters a database refuses."""
    return _UNSTORABLE.sub("", text)


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _note(repaired: list[str], what: str) -> None:
    if what not in repaired and len(repaired) < _MAX_RECORDED:
        repaired.append(what)
