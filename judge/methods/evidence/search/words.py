"""From texts and queries to the words of a full-text index. Pure.

Latin and other scripts with spaces: words. Chinese, Japanese and Korean: each two neighbouring
letters, and the last one alone, so that words of any length are found without a dictionary.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

MOST_TERMS = 40  # of a query that count

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(f"[{_CJK}]")


def indexed(text: str) -> str:
    """Return a text as the index takes it: words with spaces between them."""
    return " ".join(word for run in _runs(text) for word in _words(run))


def terms(query: str) -> Sequence[str]:
    """Return the words of a query, each once; a single Chinese letter stays one."""
    found: dict[str, None] = {}
    for run in _runs(query):
        if _IS_CJK.match(run) and len(run) > 1:
            found |= dict.fromkeys(run[at : at + 2] for at in range(len(run) - 1))
        else:
            found.setdefault(run)
    return list(found)[:MOST_TERMS]


def match_of(words: Sequence[str]) -> str:
    """Return the query of SQLite's FTS5 that finds any of the words. Nothing in them is syntax."""
    return " OR ".join(
        f'"{word}"*' if len(word) == 1 and _IS_CJK.match(word) else f'"{word}"' for word in words
    )


def excerpt(text: str, words: Sequence[str], characters: int) -> str:
    """Return the passage with the most different words of a query, on one line."""
    if len(text) > characters and words:
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
        at = _best(pattern, text, characters - characters // 4)
        start = max(0, at - characters // 4)
        start = 0 if not start else _word_start(text, start)
        end = start + characters
    else:
        start, end = 0, characters
    cut = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{cut}{' …' if end < len(text) else ''}"


def _best(pattern: re.Pattern[str], text: str, reach: int) -> int:
    """Return where the stretch of `reach` characters with the most different words begins."""
    hits: list[tuple[int, str]] = []
    best, most = 0, 0
    for hit in pattern.finditer(text):
        hits.append((hit.start(), hit.group().casefold()))
        while hits[0][0] < hit.start() - reach:
            hits.pop(0)
        different = len({word for _at, word in hits})
        if different > most:
            best, most = hits[0][0], different
    return best


def _word_start(text: str, at: int) -> int:
    """Return the next beginning of a word, not far behind; text without spaces is cut anywhere."""
    space = text.find(" ", at, at + 30)
    return space + 1 if space >= 0 else at


def _runs(text: str) -> Iterator[str]:
    return iter(_RUN.findall(unicodedata.normalize("NFKC", text).casefold()))


def _words(run: str) -> Iterator[str]:
    if not _IS_CJK.match(run):
        yield run
        return
    yield from (run[at : at + 2] for at in range(len(run) - 1))
    yield run[-1]
