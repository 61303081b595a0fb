"""Lists the entries of a response that no parser reads surely: one call to the judge. Pure."""

from collections.abc import Mapping
from typing import Any

from judge.asking.prompts.envelope import Ambiguous, UnreadableError, read_list, tidy
from judge.asking.prompts.frames import object_with_list
from judge.methods.base.framing import plain
from judge.methods.base.places import ElsewhereError, Places, is_several
from judge.methods.conditions.extraction import MOST_ENTRIES, Entry, entries_of
from judge.methods.profiles.links import MOST_LINK

_TEXT = {"anyOf": [{"type": "string"}, {"type": "null"}]}
SCHEMA: Mapping[str, Any] = object_with_list("entries", {"name": _TEXT, "link": _TEXT})
_MOST_NAME = 200  # characters


def read_listing(reply: str, response_text: str, repaired: list[str]) -> list[Entry]:
    """Return the entries of a reply, in the order of the response.

    Raises:
        UnreadableError: an entry is not of the form asked for, or is several.
        ElsewhereError: an entry does not stand in the response, or only as a part of another one.
    """
    rows = read_list(reply, "entries", repaired)
    if len(rows) > MOST_ENTRIES:
        raise UnreadableError(f"The reply has more than {MOST_ENTRIES} entries.")
    found = [_entry(row) for row in rows]
    said = plain(response_text)
    for entry in found:
        if entry.link and plain(entry.link) not in said:
            raise ElsewhereError(entry.link[:200])
    places = Places(response_text, [entry.name or entry.link for entry in found])
    if places.unplaced:
        raise ElsewhereError(places.unplaced[0][:200])
    return sorted(found, key=lambda entry: places.place(entry.name or entry.link))


def _entry(row: object) -> Entry:
    if not isinstance(row, dict) or isinstance(row, Ambiguous):
        raise UnreadableError("An entry is not one object.")
    name, link = row.get("name"), row.get("link")
    if not isinstance(name, str | None) or not isinstance(link, str | None):
        raise UnreadableError("A name or a link is no text.")
    name = " ".join(tidy(name or "").split()).strip("*_` ")
    link = tidy(link or "").strip()
    if not name and not link:
        raise UnreadableError("An entry has neither a name nor a link.")
    if len(name) > _MOST_NAME or len(link) > MOST_LINK:
        raise UnreadableError("An entry is too long.")
    if is_several(name):
        raise UnreadableError("An entry is more than one item.")
    return Entry(name, link)


def listed_by_rules(response: str) -> dict[str, Any]:
    """Return what the parser finds: the rule that stands in for a model."""
    return {
        "entries": [
            {"name": entry.name or None, "link": entry.link or None}
            for entry in entries_of(response)
        ]
    }
