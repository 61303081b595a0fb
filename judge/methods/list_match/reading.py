"""Reads the entries of a list out of a reply, and counts them against the gold list. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from judge.methods.framing import occurs, plain
from judge.prompts.envelope import Ambiguous, UnreadableError, note, read_list, tidy

MOST_ENTRIES = 500
_MOST = 1_000  # characters of an entry or a reason that are kept


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a response's list; `line` is the gold item it matches, "" for none."""

    entry: str
    line: str
    invented: bool
    why: str


class ElsewhereError(Exception):
    """The reply names an entry that the response does not hold; the message is the entry."""


def read_entries(
    reply: str, response_text: str, known: Collection[str], repaired: list[str]
) -> list[Entry]:
    """Return the entries of a reply, in its order.

    Args:
        known: the ids of the gold items.
        repaired: takes what was repaired, in words.

    Raises:
        UnreadableError: an entry is not of the form asked for, names no gold item of this list, or
            is said to be both right and invented.
        ElsewhereError: an entry does not stand in the response.
    """
    rows = read_list(reply, "entries", repaired)
    if len(rows) > MOST_ENTRIES:
        raise UnreadableError(f"The reply has more than {MOST_ENTRIES} entries.")
    said = plain(response_text)
    found: list[Entry] = []
    for row in rows:
        entry = _entry(row, known)
        if not occurs(entry.entry, said):
            raise ElsewhereError(entry.entry[:200])
        if any(plain(entry.entry) == plain(earlier.entry) for earlier in found):
            _same(entry, found)
            note(repaired, "an entry named twice")
            continue
        found.append(entry)
    return found


def _said(entry: Entry) -> tuple[str, bool]:
    return entry.line, entry.invented


def _same(entry: Entry, found: Sequence[Entry]) -> None:
    """Raise UnreadableError where two entries of one name are judged differently."""
    for earlier in found:
        if plain(entry.entry) == plain(earlier.entry) and _said(entry) != _said(earlier):
            raise UnreadableError("The reply says two things of one entry.")


def _entry(row: object, known: Collection[str]) -> Entry:
    if not isinstance(row, dict) or isinstance(row, Ambiguous):
        raise UnreadableError("An entry is not one object.")
    name, line, invented, why = (row.get(key) for key in ("entry", "line", "invented", "why"))
    if not isinstance(name, str) or not tidy(name).strip():
        raise UnreadableError("An entry has no name.")
    if "line" not in row or not (line is None or isinstance(line, str)):
        raise UnreadableError("An entry does not say which gold item it matches.")
    if line is not None and line.strip() not in known:
        raise UnreadableError("An entry matches a gold item that there is not.")
    if not isinstance(invented, bool):
        raise UnreadableError("An entry does not say whether it is invented.")
    if invented and line is not None:
        raise UnreadableError("An entry is said to match and to be invented.")
    words = tidy(why).strip()[:_MOST] if isinstance(why, str) else ""
    return Entry(tidy(name).strip()[:_MOST], (line or "").strip(), invented, words)


def counted(entries: Sequence[Entry], number: int) -> tuple[list[Entry], list[Entry]]:
    """Return the first entries, as many as are demanded, and those that do not count."""
    return list(entries[:number]), list(entries[number:])


def covered_lines(entries: Sequence[Entry]) -> Mapping[str, str]:
    """Return the gold items that entries match, each with the first entry that does."""
    found: dict[str, str] = {}
    for entry in entries:
        if entry.line:
            found.setdefault(entry.line, entry.entry)
    return found


def as_data(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return entries as JSON data."""
    return [asdict(entry) for entry in entries]
