"""How much of a text is left after it was edited: a distance between words. No database here."""

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+(?:[.,:'’\-/][^\W{_CJK}]+)*|[^\w\s]")  # noqa: RUF001


def words(text: str) -> list[str]:
    """The words of a text, as typed; Chinese, Japanese and Korean by character; marks count."""
    return _WORD.findall(text)


@lru_cache(maxsize=20_000)
def changed(old: str, new: str) -> int:
    """How much of a text was changed, in whole percent of the longer one: 0 the same, 100 another.

    0 and 100 are kept for what is wholly the same or wholly different, words considered.
    """
    one, other = words(old), words(new)
    longer = max(len(one), len(other))
    distance = Levenshtein.distance(one, other)  # words to insert, delete or replace
    if distance in (0, longer):
        return 100 if distance else 0
    return min(99, max(1, round(100 * distance / longer)))
