"""Two sets of lines side by side: which were kept, edited, added, removed. No database here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

CONTENT = ("text", "importance", "weight", "dimension")
Kind = Literal["kept", "edited", "added", "removed"]


@dataclass(frozen=True)
class Row:
    """One row of the comparison. `n_old` and `n_new` count from 1 in their own list."""

    kind: Kind
    old: Any = None
    new: Any = None
    n_old: int | None = None
    n_new: int | None = None

    @property
    def changed(self) -> tuple[str, ...]:
        """Which of text, importance, weight and dimension differ."""
        if self.old is None or self.new is None:
            return ()
        return tuple(f for f in CONTENT if getattr(self.old, f) != getattr(self.new, f))


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
    """Whether two versions of a line ask for the same, with the same weight."""
    return all(getattr(one, name) == getattr(other, name) for name in CONTENT)


def by_key(line: Any) -> Any:
    """Lines of two versions belong together if they carry the same key."""
    return line.key


def align(
    old: Iterable[Any],
    new: Iterable[Any],
    *,
    old_id: Callable[[Any], Any] = by_key,
    new_id: Callable[[Any], Any] = by_key,
) -> list[Row]:
    """Put two lists of lines side by side, in the order of the new one.

    A removed line stands behind the row of the line that preceded it in the old list.

    Args:
        old, new: lines with text, importance, weight and dimension, each list in its order.
        old_id, new_id: what makes two lines the same one; None never matches.
    """
    old, new = list(old), list(new)
    places = {old_id(line): n for n, line in enumerate(old)}
    rows: list[Row] = []
    matched: set[int] = set()
    for n, line in enumerate(new, start=1):
        identity = new_id(line)
        at = places.get(identity) if identity is not None else None
        if at is None or at in matched:
            rows.append(Row("added", new=line, n_new=n))
            continue
        matched.add(at)
        kind: Kind = "kept" if same_content(old[at], line) else "edited"
        rows.append(Row(kind, old=old[at], new=line, n_old=at + 1, n_new=n))
    for at, line in enumerate(old):
        if at not in matched:
            rows.insert(_behind(rows, at), Row("removed", old=line, n_old=at + 1))
    return rows


def _behind(rows: list[Row], at: int) -> int:
    """Where a removed line of place `at` goes: behind its nearest predecessor of the old list."""
    best, place = -1, 0
    for index, row in enumerate(rows):
        if row.n_old is not None and best < row.n_old - 1 < at:
            best, place = row.n_old - 1, index + 1
    return place


def count(rows: Iterable[Row]) -> Counts:
    """The totals of a comparison."""
    kinds = [row.kind for row in rows]
    return Counts(*(kinds.count(kind) for kind in ("kept", "edited", "added", "removed")))
