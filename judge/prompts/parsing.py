"""Reads what a model wrote, and believes only what is unmistakable.

Repair is bounded: a code fence or prose around the object, a trailing comma, a bare list. A reply
that holds two different answers is no answer. What cannot be read is missing, to be asked again;
it is never a score.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.providers.inputs import DIMENSIONS, IMPORTANCES

MAX_REPLY = 2_000_000
"""Characters of a reply that are read at all."""
MAX_WHY = 4_000
MAX_LINE = 2_000
MAX_SAYS = 600
MAX_LINES = 200
_MAX_RECORDED = 50

Verdict = tuple[bool | None, str]


@dataclass(frozen=True)
class Parsed:
    """Verdicts of one reply.

    `verdicts` maps wanted ids to (met, why), with `None` for an abstention; `missing` are wanted
    ids without a usable verdict, in the order asked (the conflicting ones among them); `unknown`
    are ids nobody asked for; `problem` says why nothing at all could be read.
    """

    verdicts: dict[str, Verdict]
    missing: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    repaired: list[str] = field(default_factory=list)
    problem: str | None = None


@dataclass(frozen=True)
class DraftLine:
    """One drafted checkpoint; `quote` is empty or words of the reference."""

    text: str
    importance: str
    weight: int
    dimension: str
    quote: str


@dataclass(frozen=True)
class RefusedLine:
    """A line the draft cannot use: its position from 1, what it said, and why not."""

    position: int
    text: str
    reason: str


@dataclass(frozen=True)
class ParsedDraft:
    """Lines of one draft; `problem` says why nothing at all could be read."""

    lines: tuple[DraftLine, ...]
    refused: tuple[RefusedLine, ...] = ()
    repaired: list[str] = field(default_factory=list)
    problem: str | None = None


class _UnreadableError(Exception):
    """Carries the problem out of the reading of an envelope."""


class _Twice(dict[str, Any]):
    """A JSON object in which a key occurs twice with different values."""


def parse_verdicts(text: str, wanted_ids: Sequence[str]) -> Parsed:
    """Verdicts for `wanted_ids`.

    `met` must be a JSON true, false or null: "true", 1 and 0 are refused, because a model that
    leaves the schema there has usually left the scale too. Entries of one id that agree count
    once; entries that differ are a conflict, and the id is missing. Never raises.
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
    """Lines of a rubric draft; those that break the policy of a line are refused, with a reason.

    With `reference` given, a quote that does not occur in it (white space aside) is emptied and
    noted: a model that invents its evidence must not lend it to the line. Never raises.
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
            said = entry.get("text") if isinstance(entry, dict) else None
            said = _tidy(said)[:200] if isinstance(said, str) else ""
            if len(refused) < MAX_LINES:
                refused.append(RefusedLine(position, said, line))
            continue
        seen.add(_squeeze(line.text).casefold())
        if evidence is not None and line.quote and _squeeze(line.quote) not in evidence:
            _note(repaired, f"line {position}: the quote is not in the reference")
            line = DraftLine(line.text, line.importance, line.weight, line.dimension, "")
        lines.append(line)
    return ParsedDraft(tuple(lines), tuple(refused), repaired)


def parse_opinions(text: str, wanted_ids: Sequence[str]) -> dict[str, str] | None:
    """What was said of `wanted_ids`; None where nothing at all could be read. Never raises.

    Ids nobody asked about and entries without words are left out; of two entries on one line the
    first counts, and no more than MAX_SAYS characters of it.
    """
    try:
        entries = _envelope(text, "opinions", [])
    except _UnreadableError:
        return None
    wanted = set(wanted_ids)
    found: dict[str, str] = {}
    for entry in entries:
        if not isinstance(entry, dict) or isinstance(entry, _Twice):
            continue
        name, says = entry.get("id"), entry.get("says")
        if not isinstance(name, str) or not isinstance(says, str) or name.strip() not in wanted:
            continue
        words = " ".join(_tidy(says).split())
        if words:
            found.setdefault(name.strip(), words[:MAX_SAYS])
    return found


def _draft_line(entry: object, repaired: list[str]) -> DraftLine | str:
    """The line, or the reason it is refused."""
    if not isinstance(entry, dict) or isinstance(entry, _Twice):
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
    if isinstance(entry, _Twice):
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
    """The list called `name` in the one object of a reply. Raises `_UnreadableError`."""
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
        # One of them may be the candidate's own words, quoted. Which one, nobody can tell.
        raise _UnreadableError("The reply holds more than one answer.")
    _note(repaired, "text around the object")
    return _listed(answers[0], name)


def _listed(value: dict[str, Any], name: str) -> list[Any]:
    entries = value.get(name)
    if isinstance(value, _Twice):
        raise _UnreadableError("The reply holds more than one answer.")
    if not isinstance(entries, list):
        raise _UnreadableError(f"The reply has no list “{name}”.")
    return entries


def _load(body: str, repaired: list[str]) -> Any:
    """The JSON value of `body`, a trailing comma forgiven, or `_NOT_JSON`."""
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
    return _Twice(value) if twice else value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


# An unclosed string runs to the end of the text: it always matches, so the scan stays linear.
_STRING = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_COMMA = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


def _without_trailing_commas(body: str) -> str:
    return _COMMA.sub(lambda match: match.group(1) or "", body)


_TOKEN = re.compile(rf"{_STRING}|[{{}}]", re.DOTALL)


def _balanced(body: str) -> list[str]:
    """The outermost balanced objects in `body`, from left to right, in one pass.

    Braces inside JSON strings do not count; a brace that never closes is stepped over.
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
                    # Quotation marks in prose open no JSON string: go on at the next brace.
                    end = match.end()
                    break
        position = body.find("{", end)
    return [body[start:end] for start, end in found]


# -- words --------------------------------------------------------------------------------------

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


def _tidy(text: str) -> str:
    """`text` without characters a database refuses."""
    return _UNSTORABLE.sub("", text)


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _note(repaired: list[str], what: str) -> None:
    if what not in repaired and len(repaired) < _MAX_RECORDED:
        repaired.append(what)
