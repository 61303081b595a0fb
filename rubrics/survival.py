"""How much of a text is left after it was edited: a distance between words. No database here."""

import re
from collections.abc import Sequence
from functools import lru_cache

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+(?:[.,:'’\-/][^\W{_CJK}]+)*|[^\w\s]")  # noqa: RUF001


def words(text: str) -> list[str]:
    """The words of a text, as typed; Chinese, Japanese and Korean by character; marks count."""
    return _WORD.findall(text)


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Fewest words to insert, delete or replace on the way from one text to the other.

    Levenshtein's distance, by the bit-parallel method of Myers (1999) in the form of Hyyrö
    (2003): a row of the table is two whole numbers, so texts of a thousand words take a moment.
    """
    if not one or not other:
        return max(len(one), len(other))
    places: dict[str, int] = {}
    for n, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << n
    full = (1 << len(one)) - 1
    last = 1 << len(one) - 1
    up, down, distance = full, 0, len(one)
    for word in other:
        same = places.get(word, 0)
        diagonal = (((same & up) + up) ^ up) | same | down
        rises = down | (full & ~(diagonal | up))
        falls = up & diagonal
        distance += bool(rises & last) - bool(falls & last)
        rises = (rises << 1 | 1) & full
        falls = (falls << 1) & full
        up = falls | (full & ~(diagonal | rises))
        down = rises & diagonal
    return distance


@lru_cache(maxsize=20_000)
def changed(old: str, new: str) -> int:
    """How much of a text was changed, in whole percent of the longer one: 0 the same, 100 another.

    0 and 100 are kept for what is wholly the same or wholly different, words considered.
    """
    one, other = words(old), words(new)
    longer = max(len(one), len(other))
    distance = edit_distance(one, other)
    if distance in (0, longer):
        return 100 if distance else 0
    return min(99, max(1, round(100 * distance / longer)))
