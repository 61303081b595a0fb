"""The manifest of a document store: which file is which address, and when it was fetched.

`manifest.jsonl` has one JSON object on each line:

    {"address": "https://example.org/a", "file": "a.html", "fetched": "2026-01-17T09:30:00Z"}

Instead of `file`, `redirects_to` names the address it led to, or `status` the failure (404).
`title`, `charset` and `sha256` of the file may be added. Several lines of one address are copies
of different times; the newest counts.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from judge.asking.prompts.parts import inline
from judge.methods.evidence.search.addresses import canonical
from judge.methods.evidence.search.interface import SearchError

NAME = "manifest.jsonl"
MOST_BYTES = 50_000_000
MOST_LINES = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the manifest; exactly one of `file`, `redirects_to` and `status` is given."""

    address: str
    fetched_at: datetime
    file: str = ""
    redirects_to: str = ""
    status: int = 0
    title: str = ""
    charset: str = ""
    sha256: str = ""


def read_manifest(folder: Path) -> Mapping[str, tuple[Entry, ...]]:
    """Return canonical address -> its copies, the newest first.

    Raises:
        SearchError: there is no manifest, or a line cannot be used; the message names it.
    """
    path = folder / NAME
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SearchError(f"{NAME} is larger than {MOST_BYTES:,} bytes")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SearchError(f"{NAME} cannot be read: {error}") from error
    if len(lines) > MOST_LINES:
        raise SearchError(f"{NAME} has more than {MOST_LINES:,} lines")
    found: dict[str, list[Entry]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            entry = _entry(line, number)
            found.setdefault(entry.address, []).append(entry)
    return {
        address: tuple(sorted(copies, key=lambda one: one.fetched_at, reverse=True))
        for address, copies in found.items()
    }


def _entry(line: str, number: int) -> Entry:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _wrong(number, "is no JSON object") from error
    if not isinstance(row, dict):
        raise _wrong(number, "is no JSON object")
    texts = {}
    for name in ("address", "file", "redirects_to", "title", "charset", "sha256", "fetched"):
        value = row.get(name, "")
        if not isinstance(value, str):
            raise _wrong(number, f"has no text as {name}")
        texts[name] = value
    status = row.get("status", 0)
    if not isinstance(status, int) or isinstance(status, bool):
        raise _wrong(number, "has no number as status")
    address = canonical(texts["address"])
    if not address:
        raise _wrong(number, "has no web address")
    if sum(map(bool, (texts["file"], texts["redirects_to"], status))) != 1:
        raise _wrong(number, "needs one of file, redirects_to and status")
    return Entry(
        address,
        _time(texts["fetched"], number),
        texts["file"],
        texts["redirects_to"],
        status,
        inline(texts["title"])[:300],
        texts["charset"],
        texts["sha256"].lower(),
    )


def _time(text: str, number: int) -> datetime:
    """Return a time; a day alone is its beginning, and no zone is UTC."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _wrong(number, "has no date as fetched (2026-01-17)") from error


def _wrong(number: int, what: str) -> SearchError:
    return SearchError(f"line {number} of {NAME} {what}")
