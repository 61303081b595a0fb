"""The draft of a gold list: each item of the reference answer with its other names.

The lines are all alike in importance and weight, because the method counts items and no weights.
"""

import re
from collections.abc import Iterator
from typing import Any

from judge.asking.prompts.envelope import squeeze, tidy
from judge.asking.providers.rules.passages import Passage, passages
from judge.methods.base.drafting import Drafting, Row
from judge.methods.base.framing import occurs, plain

LINE = {"importance": "essential", "weight": 5, "dimension": "accuracy"}
MOST_NAMES = 20
MOST_ITEMS = 200  # as many lines as a draft may have

_SEPARATED = re.compile(r"[,，、;；]\s*")
_AND = re.compile(r"(?:^|\s)and\s")
_EXPLAINED = re.compile(r"[:：]\s*|\s[–—-]+\s+|——")
_BRACKETS = re.compile(r"[(（]([^()（）]{1,80})[)）]")
_LONGEST = 80  # characters; what is longer is a sentence and no name


def line_of(row: Row, reference: str) -> dict[str, Any] | str:
    """Return the line of a gold item, or why it is refused."""
    names: list[str] = []
    others = row.get("other_names")
    for name in (row.get("item"), *(others if isinstance(others, list) else [])):
        # "|" parts the names of a line.
        name = squeeze(tidy(name)).replace("|", "/") if isinstance(name, str) else ""
        if not name and not names:
            return "no text"
        if name and name.casefold() not in (known.casefold() for known in names):
            names.append(name)
    said = plain(reference)
    if not any(occurs(name, said) for name in names):
        return "does not stand in the reference answer"
    return {**LINE, "text": " | ".join(names[:MOST_NAMES]), "quote": row.get("quote")}


def by_rules(reference: str) -> dict[str, Any]:
    """Return the items that a reference answer lists, as the rules that stand in for a model.

    Items are its list items and the first cells of its table rows, as far as their first colon,
    dash; without any, the parts of the first sentence that has commas. Names in brackets are other
    names.
    """
    found = passages(reference)
    listed = [passage for passage in found if passage.kind in ("item", "row")]
    rows = _listed(listed) if listed else _enumerated(found)
    return {"items": [row for row in rows if row["item"]][:MOST_ITEMS]}


def _listed(found: list[Passage]) -> Iterator[dict[str, Any]]:
    for passage in found:
        words = passage.cells[0][0] if passage.cells else passage.text
        if words[-1:] in ".。" and not _EXPLAINED.search(words):
            continue  # a sentence that goes on about the item before
        yield _item(_EXPLAINED.split(words, maxsplit=1)[0], passage.quote)


def _enumerated(found: list[Passage]) -> Iterator[dict[str, Any]]:
    for passage in found:
        _head, colon, after = passage.text.replace("：", ":").partition(":")
        words = _BRACKETS.sub(_kept_whole, after if colon else passage.text)
        parts = _SEPARATED.split(words.strip(" .。"))
        if len(parts) > 1:
            for part in (*parts[:-1], *_AND.split(parts[-1])):
                yield _item(part.replace("\0", ","), passage.quote)
            return


def _kept_whole(bracket: re.Match[str]) -> str:
    """A bracket whose commas do not part items."""
    return _SEPARATED.sub("\0", bracket.group())


def _item(words: str, quote: str) -> dict[str, Any]:
    others = [name for inside in _BRACKETS.findall(words) for name in _SEPARATED.split(inside)]
    name = squeeze(_BRACKETS.sub(" ", words)).strip(" .。,，")
    return {
        "item": name if len(name) <= _LONGEST and any(map(str.isalnum, name)) else "",
        "other_names": [name for other in others if (name := other.strip())],
        "quote": quote,
    }


DRAFTING = Drafting(
    method="list_match",
    rows="items",
    properties={
        "item": {"type": "string"},
        "other_names": {"type": "array", "items": {"type": "string"}},
        "quote": {"type": "string"},
    },
    line=line_of,
    offline=by_rules,
)
