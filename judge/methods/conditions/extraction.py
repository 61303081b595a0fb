"""The list that a response recommends, and which profiles of a pool its entries are. Pure.

The source (xbench, table 15) asks for a list of names with links, the link being "a key basis for
evaluation". One JSON list of such entries at the end is read for sure (`sure_entries`); candidates
are asked for that. From any other response a model copies the entries (`listing`). The rules that
stand in for it read, in this order, and stop at the first that gives an entry:

1. the last JSON value of the response that is such a list: in a code fence, the whole text, or
   begun at the start of a line. An entry is an object with a link or a name, or a text.
2. the links in the text, in their order; the name is the text of a Markdown link.
3. the lines that begin with a bullet or a number; the entry is the text up to a colon or dash.

Only the first entries count, as many as the task demands, also where one of them is named twice.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from judge.asking.prompts.envelope import tidy
from judge.methods.profiles.links import MOST_LINK, link_key, name_key

if TYPE_CHECKING:  # it is stored, and this file reads no database
    from judge.methods.profiles.queries import PoolIndex

MATCHED, NOT_IN_TABLE = "matched", "not_in_table"
AMBIGUOUS, DUPLICATE = "ambiguous", "duplicate"

MOST_ENTRIES = 1_000
_MOST_TRIES = 50  # lines that begin like JSON
_MOST_NAME = 200  # characters
_LINKS = ("link", "url", "href", "website", "homepage", "profile", "链接", "主页")
_NAMES = ("name", "title", "account", "handle", "名称", "姓名", "昵称", "账号")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'`|，。；、）】」]+", re.IGNORECASE)
_MARKDOWN = re.compile(r"\[([^\[\]\n]{1,200})\]\($")
_BULLET = re.compile(r"\s*(?:[-*•+]|\d{1,4}[.)、])\s+(.*)")
_END = re.compile("[:：|]| [-–—] ")
_JSON_LINE = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_NO_END = ".,;:!?)]}*_"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the list as the response has it; name or link may be empty, not both."""

    name: str
    link: str


@dataclass(frozen=True, slots=True)
class Matched:
    """A counted entry.

    Attributes:
        part: the name of its part of the judgment, by its place in the list.
        status: MATCHED, NOT_IN_TABLE, AMBIGUOUS (several profiles have its name) or DUPLICATE.
        profile: primary key; None unless it is matched or a duplicate of such.
    """

    part: str
    name: str
    link: str
    status: str
    profile: int | None

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)


def sure_entries(response: str) -> list[Entry] | None:
    """Return the entries of a response that ends with its one JSON list; None for any other.

    It may stand in a code fence, with words before it and nothing after. Each item is a text, or
    an object with a name or a link under one of the usual keys.
    """
    text = response.strip()
    if "```" in text:
        before, *fenced = text.split("```")
        if len(fenced) != 2 or fenced[1]:
            return None
        body = fenced[0] if fenced[0].startswith("[") else fenced[0].partition("\n")[2]
    else:
        begun = _JSON_LINE.search(text)
        before, body = (text[: begun.start()], text[begun.start() :]) if begun else (text, "")
    value = _load(body)
    if not isinstance(value, list) or len(value) > MOST_ENTRIES or _JSON_LINE.search(before):
        return None
    found = [_entry(item) if _is_usual(item) else None for item in value]
    return None if None in found else [entry for entry in found if entry is not None]


def _is_usual(item: Any) -> bool:
    if isinstance(item, str):
        return bool(item.strip())
    return isinstance(item, dict) and any(
        str(name).strip().casefold() in (*_LINKS, *_NAMES) for name in item
    )


def entries_of(response: str) -> list[Entry]:
    """Return the entries that rules find in a response; empty if there are none."""
    for value in _json_values(response):
        found = [entry for item in _items(value) if (entry := _entry(item)) is not None]
        if found:
            return found[:MOST_ENTRIES]
    found = list(_linked(response))
    return (found or list(_listed(response)))[:MOST_ENTRIES]


def match(entries: Sequence[Entry], number: int, index: "PoolIndex") -> list[Matched]:
    """Match the first `number` entries to the profiles of a pool: by link, then by exact name.

    A name that several profiles have matches none of them.
    """
    found: list[Matched] = []
    seen: set[object] = set()
    for place, entry in enumerate(entries[:number], start=1):
        link, name = link_key(entry.link), name_key(entry.name)
        profile = index.by_link.get(link) if link else None
        several = False
        if profile is None and name:
            same = index.by_name.get(name, ())
            profile = same[0] if len(same) == 1 else None
            several = len(same) > 1
        who: object = profile or link or name
        if who in seen:
            status = DUPLICATE
        elif profile is not None:
            status = MATCHED
        else:
            status = AMBIGUOUS if several else NOT_IN_TABLE
        seen.add(who)
        found.append(Matched(f"entry {place}", entry.name, entry.link, status, profile))
    return found


# --- JSON ---------------------------------------------------------------------------------------
def _json_values(text: str) -> Iterator[Any]:
    """Yield the JSON values of a text, the last one first; fenced ones before others."""
    for piece in reversed(text.split("```")[1::2]):
        body = piece.split("\n", 1)[1] if "\n" in piece else piece
        for candidate in (body, piece):
            value = _load(candidate)
            if value is not None:
                yield value
                break
    if (value := _load(text)) is not None:
        yield value
        return
    decoder = json.JSONDecoder()
    starts = [m.start(1) for m in re.finditer(r"^[ \t]*([\[{])", text, re.MULTILINE)]
    values: list[Any] = []
    end = 0
    for start in starts[-_MOST_TRIES:]:
        if start < end:  # inside the value before
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        values.append(value)
    yield from reversed(values)


def _load(text: str) -> Any:
    body = text.strip()
    if body[:1] not in ("[", "{"):
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _items(value: Any) -> Sequence[Any]:
    """Return the list of a value: itself, or the first list that an object holds."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return next((item for item in value.values() if isinstance(item, list) and item), [value])
    return ()


def _entry(item: Any) -> Entry | None:
    if isinstance(item, str):
        link = item.strip() if link_key(item) and "/" in item else ""
        return _made("" if link else item, link)
    if not isinstance(item, dict):
        return None
    known = {str(name).strip().casefold(): value for name, value in item.items()}
    link = next((known[n] for n in _LINKS if isinstance(known.get(n), str) and known[n]), "")
    name = next((known[n] for n in _NAMES if isinstance(known.get(n), str) and known[n]), "")
    if not link and not name:  # named otherwise: "blogger_link", "channel name"
        link = next((v for v in known.values() if isinstance(v, str) and _URL.match(v.strip())), "")
        name = next((v for k, v in known.items() if "name" in k and isinstance(v, str)), "")
    elif not link:
        link = next((v for k, v in known.items() if _says_link(k) and isinstance(v, str)), "")
    elif not name:
        name = next((v for k, v in known.items() if "name" in k and isinstance(v, str)), "")
    return _made(name, link)


def _says_link(name: str) -> bool:
    return "link" in name or "url" in name


def _made(name: str, link: str) -> Entry | None:
    name = " ".join(tidy(name).split())[:_MOST_NAME]
    link = tidy(link).strip()[:MOST_LINK]
    return Entry(name, link) if name or link else None


# --- words --------------------------------------------------------------------------------------
def _linked(text: str) -> Iterator[Entry]:
    for found in _URL.finditer(text):
        link = found.group()
        begun = text[max(0, found.start() - 204) : found.start()]
        words = _MARKDOWN.search(begun)
        if words:
            link = link.split(")")[0]
        link = link.rstrip(_NO_END)
        if link_key(link) and (entry := _made(words.group(1) if words else "", link)):
            yield entry


def _listed(text: str) -> Iterator[Entry]:
    for line in text.splitlines():
        found = _BULLET.fullmatch(line)
        if not found:
            continue
        name = _END.split(found.group(1), maxsplit=1)[0].strip("*_` ")
        if any(map(str.isalnum, name)) and (entry := _made(name, "")):
            yield entry
