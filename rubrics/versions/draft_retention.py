"""How much of a text remains after editing: a word distance. Without the database."""

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

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
