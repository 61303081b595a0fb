"""The full-text index of a document store: one SQLite file, built again where anything changed."""

import contextlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from judge.methods.evidence.search import words
from judge.methods.evidence.search.interface import (
    EXCERPT_CHARACTERS,
    Gap,
    Hit,
    Note,
    Page,
    SearchError,
)

EDITION = 1  # one more whenever other texts or words are indexed
_TITLE_COUNTS = 4  # times as much as the text
_TABLES = """
CREATE TABLE state (fingerprint TEXT NOT NULL);
CREATE TABLE page (
    id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL,
    fetched_at TEXT NOT NULL, notes TEXT NOT NULL, gap TEXT NOT NULL
);
CREATE VIRTUAL TABLE word USING fts5(title, text, content='', tokenize='unicode61');
"""


def is_current(path: Path, fingerprint: str) -> bool:
    """Whether the index was built from what the fingerprint describes."""
    if not path.is_file():
        return False
    try:
        with _opened(path) as rows:
            return rows.execute("SELECT fingerprint FROM state").fetchone() == (fingerprint,)
    except sqlite3.Error:  # damaged, or not ours: it is built again
        return False


def build(path: Path, fingerprint: str, pages: Iterable[Page]) -> None:
    """Write the index beside its place, then put it there in one step.

    Args:
        pages: without redirections; `address` is the canonical one.

    Raises:
        SearchError: the disk is full, or the place cannot be written.
    """
    draft = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}-")
        os.close(handle)
        with contextlib.closing(sqlite3.connect(draft)) as rows:
            rows.executescript(_TABLES)
            for number, page in enumerate(pages, start=1):
                rows.execute(
                    "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (number, page.address, page.title, page.text,
                     page.fetched_at.isoformat() if page.fetched_at else "",
                     json.dumps(page.notes), page.gap or ""),
                )  # fmt: skip
                if page.gap is None:
                    rows.execute(
                        "INSERT INTO word (rowid, title, text) VALUES (?, ?, ?)",
                        (number, words.indexed(page.title), words.indexed(page.text)),
                    )
            rows.execute("INSERT INTO state VALUES (?)", (fingerprint,))
            rows.commit()
        os.replace(draft, path)
    except (OSError, sqlite3.Error) as error:
        if draft:
            Path(draft).unlink(missing_ok=True)
        raise SearchError(f"the index cannot be written: {error}") from error


def find(path: Path, query: str, limit: int) -> Sequence[Hit]:
    """Return the pages with any of the query's words, by BM25; equal ones by their addresses.

    Raises:
        SearchError: the index cannot be read.
    """
    wanted = words.terms(query)
    if not wanted:
        return ()
    try:
        with _opened(path) as rows:
            found = rows.execute(
                "SELECT page.address, page.title, page.text, page.fetched_at, page.notes FROM word"
                " JOIN page ON page.id = word.rowid WHERE word MATCH ?"
                " ORDER BY bm25(word, ?, 1.0), page.address LIMIT ?",
                (words.match_of(wanted), float(_TITLE_COUNTS), limit),
            ).fetchall()
    except sqlite3.Error as error:
        raise SearchError(f"the index cannot be read: {error}") from error
    return tuple(
        Hit(
            address,
            title,
            words.excerpt(text, wanted, EXCERPT_CHARACTERS),
            datetime.fromisoformat(at),
            _notes(notes),
        )
        for address, title, text, at, notes in found
    )


def look_up(path: Path, address: str) -> Page | None:
    """Return a page by its canonical address; None if there is none. Raises SearchError."""
    try:
        with _opened(path) as rows:
            row = rows.execute(
                "SELECT title, text, fetched_at, notes, gap FROM page WHERE address = ?", (address,)
            ).fetchone()
    except sqlite3.Error as error:
        raise SearchError(f"the index cannot be read: {error}") from error
    if row is None:
        return None
    title, text, at, notes, gap = row
    fetched_at = datetime.fromisoformat(at) if at else None
    return Page(address, address, title, text, fetched_at, _notes(notes), Gap(gap) if gap else None)


def _notes(text: str) -> tuple[Note, ...]:
    return tuple(Note(one) for one in json.loads(text))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open for reading alone, so that a missing file is no new empty one."""
    rows = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=20)
    with contextlib.closing(rows):
        yield rows
