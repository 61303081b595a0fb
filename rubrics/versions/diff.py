"""Alignment of two lists of lines: kept, edited, added, removed. Without the database."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from rapidfuzz.distance import Levenshtein

from rubrics.policy.dimensions import Dimension

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+(?:[.,:'’\-/][^\W{_CJK}]+)*|[^\w\s]")  # noqa: RUF001


def words(text: str) -> list[str]:
    """Split a text into words and punctuation marks; Chinese, Japanese, Korean by character."""
    return _WORD.findall(text)


@lru_cache(maxsize=20_000)
def percent_changed(old: str, new: str) -> int:
    """Return how much of a text was changed, in whole percent of the words of the longer one.

    0 means that all words are the same and 100 that none is; anything between is 1 to 99.
    """
    one, other = words(old), words(new)
    longer = max(len(one), len(other))
    distance = Levenshtein.distance(one, other)  # words to insert, delete or replace
    if distance in (0, longer):
        return 100 if distance else 0
    return min(99, max(1, round(100 * distance / longer)))


CONTENT = ("text", "importance", "weight", "dimension")
Kind = Literal["kept", "edited", "added", "removed"]


@dataclass(frozen=True)
class Row:
    """One row of the comparison. `n_old` and `n_new` count from 1 in their own list.

    Attributes:
        moved: its order among the common lines changed.
        share_old, share_new: its share of the total weight, 0 to 1; None where it is missing.
        split_from: number, in the old list, of the line an added one was split from.
        merged_into: number, in the new list, of the line a removed one was merged into.
    """

    kind: Kind
    old: Any = None
    new: Any = None
    n_old: int | None = None
    n_new: int | None = None
    moved: bool = False
    share_old: float | None = None
    share_new: float | None = None
    split_from: int | None = None
    merged_into: int | None = None

    @property
    def changed(self) -> tuple[str, ...]:
        """Which of text, importance, weight and dimension differ."""
        if self.old is None or self.new is None:
            return ()
        return tuple(f for f in CONTENT if getattr(self.old, f) != getattr(self.new, f))

    @property
    def old_dimension(self) -> str:
        """The old dimension's label; empty without an old line."""
        return "" if self.old is None else str(Dimension(self.old.dimension).label)

    @property
    def new_dimension(self) -> str:
        """The new dimension's label; empty without a new line."""
        return "" if self.new is None else str(Dimension(self.new.dimension).label)

    @property
    def differs(self) -> bool:
        """Whether content or order changed."""
        return self.kind != "kept" or self.moved


@dataclass(frozen=True)
class Counts:
    """How many rows of each kind."""

    kept: int = 0
    edited: int = 0
    added: int = 0
    removed: int = 0

    @property
    def differ(self) -> int:
        return self.edited + self.added + self.removed


def same_content(one: Any, other: Any) -> bool:
    """Return whether two lines have the same text, importance, weight and dimension."""
    return all(getattr(one, name) == getattr(other, name) for name in CONTENT)


def by_key(line: Any) -> Any:
    """Return the identity of a line across versions."""
    return line.key


def align(
    old: Iterable[Any],
    new: Iterable[Any],
    *,
    old_id: Callable[[Any], Any] = by_key,
    new_id: Callable[[Any], Any] = by_key,
) -> list[Row]:
    """Align two lists of lines, in the order of the new one.

    A removed line follows the row of the line that preceded it in the old list.

    Args:
        old, new: lines with text, importance, weight and dimension, in order.
        old_id, new_id: identity of a line, by which lines match; None never matches.
    """
    old, new = list(old), list(new)
    indexes = {old_id(line): n for n, line in enumerate(old)}
    rows: list[Row] = []
    matched: set[int] = set()
    for n, line in enumerate(new, start=1):
        identity = new_id(line)
        at = indexes.get(identity) if identity is not None else None
        if at is None or at in matched:
            rows.append(Row("added", new=line, n_new=n))
            continue
        matched.add(at)
        kind: Kind = "kept" if same_content(old[at], line) else "edited"
        rows.append(Row(kind, old=old[at], new=line, n_old=at + 1, n_new=n))
    rows = _marked_as_moved(rows)
    for at, line in enumerate(old):
        if at not in matched:
            rows.insert(_behind(rows, at), Row("removed", old=line, n_old=at + 1))
    return _with_shares(rows, old, new)


def _marked_as_moved(rows: list[Row]) -> list[Row]:
    """Mark the smallest set of moved lines (all but a longest increasing subsequence)."""
    at = [n for n, row in enumerate(rows) if row.n_old is not None]
    still = {at[n] for n in _longest_rising([rows[n].n_old or 0 for n in at])}
    return [
        replace(row, moved=True) if row.n_old is not None and n not in still else row
        for n, row in enumerate(rows)
    ]


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the indexes of a longest increasing subsequence, by patience sorting."""
    tops: list[int] = []  # for each length, the smallest last number of a subsequence
    ends: list[int] = []  # the index of that number
    before: list[int | None] = []
    for n, number in enumerate(numbers):
        length = bisect_left(tops, number)
        before.append(ends[length - 1] if length else None)
        tops[length : length + 1] = [number]
        ends[length : length + 1] = [n]
    found: list[int] = []
    here = ends[-1] if ends else None
    while here is not None:
        found.append(here)
        here = before[here]
    return found[::-1]


def _with_shares(rows: list[Row], old: Sequence[Any], new: Sequence[Any]) -> list[Row]:
    totals = [sum(line.weight or 0 for line in lines) or 1 for lines in (old, new)]
    return [
        replace(
            row,
            share_old=None if row.old is None else row.old.weight / totals[0],
            share_new=None if row.new is None else row.new.weight / totals[1],
        )
        for row in rows
    ]


def with_splits_and_merges(
    rows: Iterable[Row], split: Mapping[str, str], merged: Mapping[str, str]
) -> list[Row]:
    """Return the rows with `split_from` of added lines and `merged_into` of removed ones.

    Args:
        split: key of a new line -> key of the line it was split from.
        merged: key of a removed line -> key of the line it was merged into.
    """
    rows = list(rows)
    n_old = {row.old.key: row.n_old for row in rows if row.old is not None}
    n_new = {row.new.key: row.n_new for row in rows if row.new is not None}
    return [
        replace(row, split_from=n_old.get(_last_of(split, row.new.key)))
        if row.kind == "added"
        else replace(row, merged_into=n_new.get(_last_of(merged, row.old.key)))
        if row.kind == "removed"
        else row
        for row in rows
    ]


def _last_of(steps: Mapping[str, str], key: str) -> str | None:
    """Follow a chain of steps to its end; None if it has no step for the key."""
    seen = {key}
    at: str | None = None
    while (following := steps.get(at or key)) is not None and following not in seen:
        seen.add(following)
        at = following
    return at


def _behind(rows: list[Row], at: int) -> int:
    """Return the row index for a removed line: after its nearest predecessor in the old list.

    Args:
        at: index of the line in the old list.
    """
    best, row_index = -1, 0
    for index, row in enumerate(rows):
        if row.n_old is not None and best < row.n_old - 1 < at:
            best, row_index = row.n_old - 1, index + 1
    return row_index


def count(rows: Iterable[Row]) -> Counts:
    """Count the rows of each kind."""
    kinds = [row.kind for row in rows]
    return Counts(*(kinds.count(kind) for kind in ("kept", "edited", "added", "removed")))
