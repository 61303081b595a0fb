"""Comparison of texts: lines without regard to case and spacing, and by stretches of lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher


def key_of(text: str) -> str:
    """Return a look-up key: the text in folded case with single spaces."""
    return " ".join(text.casefold().split())


def say_the_same(one: str, other: str) -> bool:
    """Return whether two texts differ at most in case and spacing."""
    return key_of(one) == key_of(other)


_AROUND = 2  # unchanged lines shown beside a change
_LEAST = 4  # unchanged lines that are worth folding
_MANY = 2_000  # lines of a text that are compared at all


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some lines of two texts; `folded` is the number of lines that both have, 0 for a change."""

    before: str
    after: str
    folded: int = 0


def stretches(before: str, after: str) -> list[Stretch]:
    """Return the stretches of two texts, in order; together they are the whole of both.

    Long runs of lines that both have are folded, but for the two lines next to a change.
    """
    old, new = before.split("\n"), after.split("\n")
    if max(len(old), len(new)) > _MANY:
        return [Stretch(before, after)]
    found: list[Stretch] = []
    start = (0, 0)  # of the change that is being gathered
    for i, j in _folds(old, new):
        found += _change(old, new, start, (i.start, j.start))
        text = "\n".join(old[i.start : i.stop])
        found.append(Stretch(text, text, folded=i.stop - i.start))
        start = (i.stop, j.stop)
    return found + _change(old, new, start, (len(old), len(new)))


def _folds(old: list[str], new: list[str]) -> Iterator[tuple[range, range]]:
    """Yield the runs of equal lines that are folded, as places in both texts."""
    # Blank and other lines that recur often are no place to begin a match: finding them one by one
    # would take seconds in a text of separate paragraphs.
    matcher = SequenceMatcher(lambda line: not line.strip(), old, new)
    for i, j, size in matcher.get_matching_blocks():
        first = _AROUND if i or j else 0  # the beginning of both texts has no change before it
        ends = i + size == len(old) and j + size == len(new)
        last = size - (0 if ends else _AROUND)
        if last - first >= _LEAST:
            yield range(i + first, i + last), range(j + first, j + last)


def _change(
    old: list[str], new: list[str], start: tuple[int, int], stop: tuple[int, int]
) -> list[Stretch]:
    before, after = old[start[0] : stop[0]], new[start[1] : stop[1]]
    return [Stretch("\n".join(before), "\n".join(after))] if before or after else []
