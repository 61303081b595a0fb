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
from django.utils.translation import gettext_lazy

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


MESSAGES = {
    "several_requirements": gettext_lazy(
        "Two checks in one line, joined by “%(words)s”. An answer with only one of them could not "
        "be marked."
    ),
    "vague_words": gettext_lazy(
        "“%(words)s” can be read two ways. Name the figure, the rule or the words you expect."
    ),
    "no_concrete_content": gettext_lazy(
        "Two people could not check this alike. Name what the answer must contain."
    ),
    "negation": gettext_lazy(
        "An empty answer would pass this line. Say what must be there, or name exactly what must "
        "not."
    ),
    "near_duplicate": gettext_lazy("Almost the same as line %(n)s. One of them can go."),
    "weight_fits": gettext_lazy(
        "Weight %(weight)s is unusual for this importance: most lines of its kind have "
        "%(low)s to %(high)s."
    ),
}

# --- several requirements ------------------------------------------------------------------------
# Verbs that rubric lines start with; after "and" they open a second check.
_VERBS = (
    "adds|advises|analyses|analyzes|applies|argues|asks|assesses|assigns|attributes|calculates|"
    "cautions|checks|cites|classifies|compares|computes|concludes|confirms|considers|contains|"
    "converts|corrects|covers|defines|derives|describes|determines|discusses|distinguishes|"
    "documents|establishes|estimates|evaluates|excludes|explains|flags|formulates|gives|"
    "highlights|identifies|includes|indicates|informs|instructs|justifies|keeps|links|lists|"
    "mentions|names|notes|offers|orders|outlines|points|presents|proposes|provides|quantifies|"
    "quotes|recognises|recognizes|recommends|records|refers|refuses|rejects|reports|requires|"
    "requests|reserves|says|sets|shows|specifies|states|stops|suggests|summarises|summarizes|"
    "supports|tells|treats|uses|verifies|warns|writes"
)
_PAIRS = (  # fixed expressions in which "and" joins one thing
    r"terms and conditions|profits? and loss|rights and obligations|duties and obligations|"
    r"supply and demand|pros and cons|research and development|health and safety|"
    r"safety and risk|mergers and acquisitions|cause and effect|property, plant and equipment|"
    r"time and materials|cost and benefit|risks? and rewards?|cash and cash equivalents|"
    r"and/or|and so on|trial and error|plant and machinery|goods and services|"
    r"null and void|signs and symptoms|input and output|lying and standing"
)
_JOINERS: tuple[tuple[str, str], ...] = (
    # (pattern whose group 1 is the joining word, language)
    (rf"[\s,](and(?: also| then)?)\s+(?:{_VERBS})\b", "en"),
    (r"\d[^.;]*?\s(and)\s+[^.;]*\d", "figures"),
    (r",?\s(as well as|in addition to)\s", "en"),
    (r"(;)\s+\S", "en"),
    (r"(以及|并且|同时(?!间)|而且)", "zh"),
    (r"[，,](并(?!非|不|购|发|列|行|网|联)|且)", "zh"),
    (r"(；)\s*\S", "zh"),
)
_JOINERS_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in _JOINERS)
_PAIRS_COMPILED = re.compile(rf"\b(?:{_PAIRS})\b", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:between|from|both|either)\b[^.;]*$", re.IGNORECASE)

# --- vague words ---------------------------------------------------------------------------------
_VAGUE_EN = (
    "appropriate(?:ly)?|adequate(?:ly)?|proper(?:ly)?|reasonabl[ey]|sufficient(?:ly)?|"
    "satisfactor(?:y|ily)|suitabl[ey]|comprehensive(?:ly)?|thorough(?:ly)?|in[- ]depth|"
    "well[- ](?:structured|written|organi[sz]ed|reasoned|argued)|high[- ]quality|"
    "good|nice(?:ly)?|convincing(?:ly)?|meaningful(?:ly)?|insightful|professional(?:ly)?|"
    "clear(?:ly)? and concise(?:ly)?|clearly|effective(?:ly)?|efficient(?:ly)?|as needed|"
    "if necessary|where appropriate|various|several|some|many|etc\\.?|and so on|to some extent|"
    "relevant (?:aspects?|factors?|points?|issues?|details?|information)"
)
_FIXED_EN = (  # terms of a trade in which the word has a meaning
    r"reasonable (?:doubt|care|notice|period|time|accommodations?|assurance|endeavours|efforts|"
    r"adjustments?|person|steps|grounds?)|good (?:faith|cause|practice|title|manufacturing|"
    r"industry|clinical)|clearing|adequate (?:protection|consideration)|"
    r"sufficient consideration|professional (?:indemnity|negligence|services|conduct|body|"
    r"scepticism|skepticism)|effective (?:date|interest|tax|dose|from)|"
    r"thorough examination|proper officer|proper law|some of|good[- ]?will|"
    r"effective\w*[- ](?:rate|interest)"
)
_VAGUE_ZH = (
    "适当|恰当|妥善|妥当|合理(?!性|用药|期限|怀疑|注意|利润|价格|开支|费用)|充分(?!就业|必要|条件)|"
    "清晰|清楚地|较好|良好|全面|深入|详细|翔实|专业性强|有条理|逻辑性强|高质量|"
    "若干|一些|必要时|视情况|等等|尽量|尽可能|有效地|相关(?:因素|问题|方面|内容|信息)"
)
_VAGUE = re.compile(rf"\b(?:{_VAGUE_EN})(?![\w-])|{_VAGUE_ZH}", re.IGNORECASE)
_FIXED = re.compile(rf"\b(?:{_FIXED_EN})\b", re.IGNORECASE)
# What makes a vague word precise: a figure, quoted words, or examples in the line.
_MEASURE = re.compile(
    r"\d|[“\"「『《].+?[”\"」』》]|\((?!s\))[^)]{4,}\)|（[^）]{2,}）|\bat least\b|\bat most\b|"
    r"\bnamely\b|\bsuch as\b|: \S|至少|至多|不少于|不超过|即|例如|如：|：",
    re.IGNORECASE,
)

# --- no concrete content, negation --------------------------------------------------------------
_EMPTY_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "for",
        "from",
        "good",
        "has",
        "have",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "their",
        "this",
        "to",
        "was",
        "with",
        "all",
        "any",
        "answer",
        "response",
        "text",
        "output",
        "report",
        "memo",
        "letter",
        "correct",
        "correctly",
        "accurate",
        "accurately",
        "right",
        "true",
        "complete",
        "completely",
        "full",
        "fully",
        "clear",
        "clearly",
        "well",
        "relevant",
        "appropriate",
        "important",
        "key",
        "main",
        "necessary",
        "correctness",
        "accuracy",
        "quality",
        "topic",
        "question",
        "task",
        "problem",
        "issue",
        "point",
        "points",
        "content",
        "information",
        "detail",
        "details",
        "aspect",
        "aspects",
        "requirements",
        "everything",
    ]
) | frozenset(_VERBS.split("|"))
_EMPTY_ZH = re.compile(
    "答案|回答|内容|正确|准确|完整|全面|清晰|清楚|合理|说明|指出|提到|提及|包括|给出|写明|列出|"
    "分析|问题|题目|要求|相关|重点|要点|主要|信息|[的地得了是与和并且对于在，。、；：！？\\s]"
)
_NEGATIVE = re.compile(
    r"^\W*(?:the )?(?:answer |response |text |output |report |memo |letter )?"
    r"((?:does|do|is|are|must|should|may|has|have|will|can)(?: not|n[’']t)|cannot|never|avoids?|"
    r"refrains? from|omits?|fails? to)\b"
    r"|^\W*(?:答案|回答|全文|文中)?(不得|不应|不要|不能|不含|不包含|没有|未曾|未(?!来|成年|婚)|避免|无需)",
    re.IGNORECASE,
)

# --- weights -------------------------------------------------------------------------------------
USUAL_WEIGHTS = {"essential": (6, 10), "important": (3, 8), "optional": (1, 5)}

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
    before = re.search(
        r"(?:[\s,;，；]*\b(?:and also|and then|and|as well as)|[，；,;]?\s*(?:以及|并且|同时|而且|并|且|和))\s*$",
        text[:at],
        re.IGNORECASE,
    )
    after = re.match(
        r"\s*(?:and|as well as|以及|并且|同时|而且|，并|，且)\s*", text[at:], re.IGNORECASE
    )
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
    fixed = [match.span() for match in _PAIRS_COMPILED.finditer(text)]
    found: list[Span] = []
    for pattern, kind in _JOINERS_COMPILED:
        for match in pattern.finditer(text):
            start, end = match.span(1)
            if any(a <= start < b for a, b in fixed):
                continue
            before = text[:start]
            if kind == "figures" and _RANGE.search(before):
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
    if _MEASURE.search(text):
        return
    fixed = [match.span() for match in _FIXED.finditer(text)]
    for match in _VAGUE.finditer(text):
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
        bare = len(_EMPTY_ZH.sub("", text)) < 3
    else:
        words = [w for w in _WORD.findall(text) if w.casefold() not in _EMPTY_WORDS]
        named = any(w[0].isupper() for w in _WORD.findall(text)[1:])
        bare = len(words) < 2 and not named
    if bare:
        yield Mark("no_concrete_content", str(MESSAGES["no_concrete_content"]))


def _negation(text: str) -> Iterator[Mark]:
    match = _NEGATIVE.search(text)
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
