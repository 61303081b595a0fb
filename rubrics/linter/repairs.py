"""Splitting a text into two lines, and joining two."""

import re

from rubrics.linter import several
from rubrics.linter.rule import Span

_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")
_CJK = re.compile(r"[\u3400-\u9fff]")
_JOINER_BEFORE = re.compile(
    r"(?:[\s,;，；]{0,20}\b(?:and also|and then|and|as well as)|"
    r"[，；,;]?\s{0,20}(?:以及|并且|同时|而且|并|且|和))\s{0,20}$",
    re.IGNORECASE,
)
_JOINER_AFTER = re.compile(
    r"\s*(?:(?:and|as well as)\b|以及|并且|同时|而且|，并|，且)\s*", re.IGNORECASE
)


def split_at(text: str, at: int | None = None) -> tuple[str, str] | None:
    """Split a text into two lines; None where there is nothing to split at.

    Args:
        at: character where the second line begins; None: after the joining word.
    """
    cut = several.joining_word(text[:4_000]) if at is None else _cut_at(text, at)
    if cut is None:
        return None
    first = text[: cut[0]].rstrip(" ,;，；、\t\n")
    second = text[cut[1] :].lstrip(" ,;，；、\t\n")
    if not _WORD.search(first) or not _WORD.search(second):
        return None
    stop = text.rstrip()[-1:]
    if stop in ".。" and first[-1:] not in ".。!?！？":
        first += stop
    if first[:1].isupper() and second[:1].islower():
        second = second[0].upper() + second[1:]
    return first, second


def _cut_at(text: str, at: int) -> Span:
    """Return the span to cut at `at`, including a joining word next to it."""
    at = max(0, min(len(text), at))
    if at and _is_latin(text[at - 1 : at]) and _is_latin(text[at : at + 1]):
        at = max(text.rfind(" ", 0, at), 0)  # never inside a word
    before = _JOINER_BEFORE.search(text[:at])
    after = _JOINER_AFTER.match(text[at:])
    start = before.start() if before else at
    return start, at + after.end() if after else at


def _is_latin(character: str) -> bool:
    return character.isalnum() and not _CJK.match(character)


def word_starts(text: str) -> list[tuple[int, str]]:
    """Return where a second line can begin: (character, the words up to the next such point).

    Chinese texts split after punctuation marks.
    """
    starts = [0, *(m.end() for m in re.finditer(r"\s+|[，；、。](?=\S)", text.rstrip()))]
    ends = [*starts[1:], len(text)]
    return [(a, text[a:b].strip()) for a, b in zip(starts, ends, strict=True) if text[a:b].strip()]


def join(one: str, other: str) -> str:
    """Join two lines; the second is dropped where the first contains it."""
    first, second = one.strip(), other.strip()
    if second.rstrip(".。").casefold() in first.casefold():
        return first
    if _CJK.search(first):
        return f"{first.rstrip('。；')}；{second}"
    if second[:1].isupper() and second[1:2].islower():
        second = second[0].lower() + second[1:]
    return f"{first.rstrip('.;')} and {second}"
