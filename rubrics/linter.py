"""Marks on rubric lines: what a colleague would query. Tables and pure functions; never a block.

A mark says what may go wrong when the line is judged TRUE or FALSE. Both languages are read in
every line, because professional texts mix them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from rubrics.marks import (
    EMPTY_WORDS,
    EMPTY_ZH,
    FIXED,
    JOINERS,
    JOINT_AFTER,
    JOINT_BEFORE,
    MEASURE,
    MESSAGES,
    NEGATIVE,
    PAIRS,
    RANGE,
    USUAL_WEIGHTS,
    VAGUE,
)

Span = tuple[int, int]


@dataclass(frozen=True)
class Mark:
    """One mark.

    Attributes:
        code: stable name, one of MESSAGES.
        message: a sentence for the author.
        span: the characters it is about, or None for the whole line.
        repair: "split" where splitting at the span's end repairs it.
        words: the words under the span.
    """

    code: str
    message: str
    span: Span | None = None
    repair: str = ""
    words: str = ""


_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")
_CJK = re.compile(r"[\u3400-\u9fff]")


def lint(text: str, *, importance: str = "", weight: int | None = None) -> list[Mark]:
    """The marks of one line by itself, in the order an author should look at them."""
    marks = [
        *_several(text),
        *_vague(text),
        *_empty(text),
        *_negation(text),
        *_weight(importance, weight),
    ]
    codes: set[str] = set()
    return [m for m in marks if not (m.code in codes or codes.add(m.code))]  # type: ignore[func-returns-value]


def lint_rubric(lines: Sequence[Any]) -> list[list[Mark]]:
    """The marks of every line, those between lines included.

    Args:
        lines: objects with text, importance and weight, in order.
    """
    found = [lint(line.text, importance=line.importance, weight=line.weight) for line in lines]
    keys = [_fingerprint(line.text) for line in lines]
    for n, (words, figures) in enumerate(keys):
        for other in range(n):
            if figures == keys[other][1] and _likeness(words, keys[other][0]) >= 0.85:
                found[n].append(
                    Mark("near_duplicate", str(MESSAGES["near_duplicate"]) % {"n": other + 1})
                )
                break
    return found


def segments(text: str, marks: Iterable[Mark]) -> list[tuple[str, str]]:
    """The text in runs of (text, code of the mark under it or ""), for underlining."""
    spans = sorted((m.span, m.code) for m in marks if m.span is not None)
    runs, at = [], 0
    for (start, end), code in spans:
        if start < at:
            continue
        runs += [(text[at:start], ""), (text[start:end], code)]
        at = end
    runs.append((text[at:], ""))
    return [run for run in runs if run[0]]


# --- repairs -------------------------------------------------------------------------------------
def split_at(text: str, at: int | None = None) -> tuple[str, str] | None:
    """Two lines out of one, or None where there is nothing to split at.

    Args:
        at: character where the second line begins; None: behind the joining word.
    """
    joint: Span
    if at is None:
        several = next(_several(text), None)
        if several is None or several.span is None:
            return None
        joint = several.span
    else:
        joint = _joint_before(text, at)
    first = text[: joint[0]].rstrip(" ,;，；、\t\n")
    second = text[joint[1] :].lstrip(" ,;，；、\t\n")
    if not _WORD.search(first) or not _WORD.search(second):
        return None
    stop = text.rstrip()[-1:]
    if stop in ".。" and first[-1:] not in ".。!?！？":
        first += stop
    if first[:1].isupper() and second[:1].islower():
        second = second[0].upper() + second[1:]
    return first, second


def _joint_before(text: str, at: int) -> Span:
    """The place `at`, and the joining word right before it if there is one."""
    at = max(0, min(len(text), at))
    if at and _is_latin(text[at - 1 : at]) and _is_latin(text[at : at + 1]):
        at = max(text.rfind(" ", 0, at), 0)  # never through a word
    before = JOINT_BEFORE.search(text[:at])
    after = JOINT_AFTER.match(text[at:])
    start = before.start() if before else at
    return start, at + after.end() if after else at


def _is_latin(character: str) -> bool:
    return character.isalnum() and not _CJK.match(character)


def word_starts(text: str) -> list[tuple[int, str]]:
    """Where a second line could begin: (character, the words from there up to the next place).

    In Chinese text the places are behind punctuation marks.
    """
    starts = [0, *(m.end() for m in re.finditer(r"\s+|[，；、。](?=\S)", text.rstrip()))]
    ends = [*starts[1:], len(text)]
    return [(a, text[a:b].strip()) for a, b in zip(starts, ends, strict=True) if text[a:b].strip()]


def join(one: str, other: str) -> str:
    """Two lines as one; the second is dropped where the first already says it."""
    first, second = one.strip(), other.strip()
    if second.rstrip(".。").casefold() in first.casefold():
        return first
    if _CJK.search(first):
        return f"{first.rstrip('。；')}；{second}"
    if second[:1].isupper() and second[1:2].islower():
        second = second[0].lower() + second[1:]
    return f"{first.rstrip('.;')} and {second}"


# --- the checks ----------------------------------------------------------------------------------
def _several(text: str) -> Iterator[Mark]:
    fixed = [match.span() for match in PAIRS.finditer(text)]
    found: list[Span] = []
    for pattern, kind in JOINERS:
        for match in pattern.finditer(text):
            start, end = match.span(1)
            if any(a <= start < b for a, b in fixed):
                continue
            before = text[:start]
            if kind == "figures" and RANGE.search(before):
                continue
            if before.count("(") > before.count(")") or before.count("（") > before.count("）"):
                continue  # a remark in brackets is not a second check
            found.append((start, end))
    for span in sorted(set(found))[:1]:
        words = text[span[0] : span[1]]
        yield Mark(
            "several_requirements",
            str(MESSAGES["several_requirements"]) % {"words": words},
            span,
            "split",
            words,
        )


def _vague(text: str) -> Iterator[Mark]:
    if MEASURE.search(text):
        return
    fixed = [match.span() for match in FIXED.finditer(text)]
    for match in VAGUE.finditer(text):
        start, end = match.span()
        if any(a <= start < b for a, b in fixed):
            continue
        words = match.group()
        yield Mark(
            "vague_words",
            str(MESSAGES["vague_words"]) % {"words": words},
            (start, end),
            "",
            words,
        )
        return


def _empty(text: str) -> Iterator[Mark]:
    if not text.strip() or any(character.isdigit() for character in text):
        return
    if _CJK.search(text):
        bare = len(EMPTY_ZH.sub("", text)) < 3
    else:
        words = [w for w in _WORD.findall(text) if not EMPTY_WORDS.fullmatch(w)]
        named = any(w[0].isupper() for w in _WORD.findall(text)[1:])
        bare = sum(map(len, words)) < 8 and not named
    if bare:
        yield Mark("no_concrete_content", str(MESSAGES["no_concrete_content"]))


def _negation(text: str) -> Iterator[Mark]:
    match = NEGATIVE.search(text)
    if match:
        group = 1 if match.group(1) else 2
        yield Mark(
            "negation",
            str(MESSAGES["negation"]),
            match.span(group),
            "",
            match.group(group),
        )


def _weight(importance: str, weight: int | None) -> Iterator[Mark]:
    usual = USUAL_WEIGHTS.get(importance)
    if usual is None or weight is None or usual[0] <= weight <= usual[1]:
        return
    yield Mark(
        "weight_fits",
        str(MESSAGES["weight_fits"]) % {"weight": weight, "low": usual[0], "high": usual[1]},
    )


def _fingerprint(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """(words, or pairs of characters in Chinese; figures) of a line."""
    folded = text.casefold()
    tokens = _WORD.findall(folded)
    figures = frozenset(t for t in tokens if t[0].isdigit())
    words: set[str] = set()
    for token in tokens:
        if _CJK.search(token):
            words.update(a + b for a, b in pairwise(token))
        elif not token[0].isdigit():
            words.add(token)
    return frozenset(words), figures


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard index of two sets; 0 where both are empty."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def gloss(code: str) -> str:
    """What a mark is called, in a few words."""
    return {
        "several_requirements": _("several requirements in one line"),
        "vague_words": _("words without a measure"),
        "no_concrete_content": _("nothing concrete to check"),
        "negation": _("a negative line"),
        "near_duplicate": _("almost a duplicate"),
        "weight_fits": _("unusual weight"),
    }[code]
