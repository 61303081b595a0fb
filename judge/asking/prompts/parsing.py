"""Parses the replies of models; only what is unambiguous counts.

`envelope.py` says what is repaired. A reply with two different answers counts as no answer. What
cannot be read is missing and can be asked again; it never becomes a score.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.asking.prompts.envelope import (
    MAX_RECORDED,
    Ambiguous,
    UnreadableError,
    note,
    read_list,
    squeeze,
    tidy,
)
from judge.asking.providers.inputs import DIMENSIONS, IMPORTANCES

MAX_WHY = 4_000
MAX_LINE = 2_000
MAX_SAYS = 600
MAX_LINES = 200

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


def parse_verdicts(text: str, wanted_ids: Sequence[str]) -> Parsed:
    """Parse the verdicts on `wanted_ids`. Never raises.

    `met` has to be a JSON true, false or null: "true", 1 and 0 are refused, because a model that
    leaves the schema there has usually left the scale too. Entries of one id that agree count
    once; if they differ, the id is missing.
    """
    wanted = tuple(dict.fromkeys(wanted_ids))
    repaired: list[str] = []
    try:
        entries = read_list(text, "verdicts", repaired)
    except UnreadableError as problem:
        return Parsed({}, wanted, repaired=repaired, problem=str(problem))

    found: dict[str, list[tuple[object, str]]] = {}
    unknown: dict[str, None] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            note(repaired, "an entry that is not an object")
            continue
        name = _identifier(entry.get("id"), wanted, repaired)
        if name is None:
            note(repaired, "an entry without an id")
        elif name not in wanted:
            unknown[tidy(name)[:200]] = None
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
                note(repaired, "repeated entries that agree")
            met, why = outcomes[0]
            verdicts[name] = ({"met": True, "unmet": False}.get(str(met)), why)
    return Parsed(
        verdicts=verdicts,
        missing=tuple(name for name in wanted if name not in verdicts),
        unknown=tuple(list(unknown)[:MAX_RECORDED]),
        conflicting=tuple(conflicting),
        repaired=repaired,
    )


def parse_draft(
    text: str,
    *,
    reference: str | None = None,
    rows: str = "lines",
    as_line: Callable[[dict[str, Any]], dict[str, Any] | str] | None = None,
) -> ParsedDraft:
    """Parse the lines of a draft; unusable lines are refused with a reason. Never raises.

    Args:
        reference: the reference answer. A quote that does not occur in it (apart from white
            space) is invented, so it is emptied and noted. None skips this check.
        rows: name of the list in the reply.
        as_line: returns the fields of a line for a row of another form, or why it is refused.
    """
    repaired: list[str] = []
    try:
        entries = read_list(text, rows, repaired)
    except UnreadableError as problem:
        return ParsedDraft((), repaired=repaired, problem=str(problem))

    lines: list[DraftLine] = []
    refused: list[RefusedLine] = []
    seen: set[str] = set()
    evidence = None if reference is None else squeeze(reference)
    for position, entry in enumerate(entries, start=1):
        fields = entry
        if as_line is not None and isinstance(entry, dict) and not isinstance(entry, Ambiguous):
            fields = as_line(entry)
            line = fields if isinstance(fields, str) else _draft_line(fields, repaired)
        else:
            line = _draft_line(entry, repaired)
        if isinstance(line, DraftLine) and len(lines) >= MAX_LINES:
            line = f"the draft is longer than {MAX_LINES} lines"
        if isinstance(line, DraftLine) and squeeze(line.text).casefold() in seen:
            line = "says the same as an earlier line"
        if isinstance(line, str):
            words = fields.get("text") if isinstance(fields, dict) else None
            words = tidy(words)[:200] if isinstance(words, str) else ""
            if len(refused) < MAX_LINES:
                refused.append(RefusedLine(position, words, line))
            continue
        seen.add(squeeze(line.text).casefold())
        if evidence is not None and line.quote and squeeze(line.quote) not in evidence:
            note(repaired, f"line {position}: the quote is not in the reference")
            line = DraftLine(line.text, line.importance, line.weight, line.dimension, "")
        lines.append(line)
    return ParsedDraft(tuple(lines), tuple(refused), repaired)


def parse_opinions(text: str, wanted_ids: Sequence[str]) -> dict[str, str] | None:
    """Parse the opinions on `wanted_ids`; None if nothing could be read. Never raises.

    Unknown ids and empty entries are left out. Of several entries on one line the first counts,
    cut to MAX_SAYS characters.
    """
    try:
        entries = read_list(text, "opinions", [])
    except UnreadableError:
        return None
    wanted = set(wanted_ids)
    found: dict[str, str] = {}
    for entry in entries:
        if not isinstance(entry, dict) or isinstance(entry, Ambiguous):
            continue
        name, says = entry.get("id"), entry.get("says")
        if not isinstance(name, str) or not isinstance(says, str) or name.strip() not in wanted:
            continue
        words = " ".join(tidy(says).split())
        if words:
            found.setdefault(name.strip(), words[:MAX_SAYS])
    return found


def _draft_line(entry: object, repaired: list[str]) -> DraftLine | str:
    """Return the line, or the reason why it is refused."""
    if not isinstance(entry, dict) or isinstance(entry, Ambiguous):
        return "not one object"
    text, quote, weight = entry.get("text"), entry.get("quote"), entry.get("weight")
    importance, dimension = entry.get("importance"), entry.get("dimension")
    if not isinstance(text, str) or not tidy(text).strip():
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
        note(repaired, "an unknown dimension became “other”")
        dimension = "other"
    quote = tidy(quote).strip()[:MAX_LINE] if isinstance(quote, str) else ""
    return DraftLine(" ".join(tidy(text).split()), importance, weight, dimension, quote)


def _identifier(value: object, wanted: Sequence[str], repaired: list[str]) -> str | None:
    if isinstance(value, str):
        if value not in wanted and value.strip() in wanted:
            note(repaired, "spaces around an id")
            return value.strip()
        return value
    if isinstance(value, int) and not isinstance(value, bool) and str(value) in wanted:
        note(repaired, "an id written as a number")
        return str(value)
    return None


def _outcome(entry: dict[str, Any], repaired: list[str]) -> tuple[str, str]:
    why = entry.get("why")
    why = tidy(why).strip()[:MAX_WHY] if isinstance(why, str) else ""
    if isinstance(entry, Ambiguous):
        note(repaired, "an entry that says two things")
        return "unusable", why
    met = entry.get("met", "absent")
    if met is True:
        return "met", why
    if met is False:
        return "unmet", why
    if met is None:
        return "abstained", why
    note(repaired, "a met that is not true, false or null")
    return "unusable", why
