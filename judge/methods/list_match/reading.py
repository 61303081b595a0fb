"""Reads the entries of a list out of a reply, and counts them against the gold list. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from judge.asking.prompts.envelope import Ambiguous, UnreadableError, note, read_list, tidy
from judge.methods.base.framing import plain
from judge.methods.base.places import ElsewhereError, Places, is_several

MOST_ENTRIES = 500
_MOST = 1_000  # characters of an entry or a reason that are kept


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a response's list; `line` is the gold item it matches, "" for none."""

    entry: str
    line: str
    invented: bool
    why: str


class LeftOutError(Exception):
    """The reply leaves out items of the response's list; the message is the first of them."""


def read_entries(
    reply: str, response_text: str, known: Collection[str], repaired: list[str]
) -> list[Entry]:
    """Return the entries of a reply, in the order of the response.

    Args:
        known: the ids of the gold items.
        repaired: takes what was repaired, in words.

    Raises:
        UnreadableError: an entry is not of the form asked for, names no gold item of this list, is
            said to be both right and invented, or is several items.
        ElsewhereError: an entry does not stand in the response, or only as a part of another one.
        LeftOutError: an item of the list that holds the entries is none of them.
    """
    rows = read_list(reply, "entries", repaired)
    if len(rows) > MOST_ENTRIES:
        raise UnreadableError(f"The reply has more than {MOST_ENTRIES} entries.")
    found: list[Entry] = []
    for row in rows:
        entry = _entry(row, known)
        if any(plain(entry.entry) == plain(earlier.entry) for earlier in found):
            _same(entry, found)
            note(repaired, "an entry named twice")
            continue
        found.append(entry)
    places = Places(response_text, [entry.entry for entry in found])
    if places.unplaced:
        raise ElsewhereError(places.unplaced[0][:200])
    if places.left_out:
        raise LeftOutError(places.left_out[0][:200])
    return sorted(found, key=lambda entry: places.place(entry.entry))


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
    if is_several(name):
        raise UnreadableError("An entry is more than one item.")
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
