"""Rule for lines with figures and terms that the reference answer does not have."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from curation.base.text.language import Amount, amounts, is_chinese, is_negated, terms
from rubrics.linter import dates
from rubrics.linter.rule import Example, Mark, Pattern, Rule
from rubrics.linter.words import asks_for_something, content_terms

RULE = Rule(
    code="unsupported_by_reference",
    name=_("not in the reference answer"),
    message=_(
        "The reference answer does not have “%(words)s”. Correct the line, or add it to the "
        "reference answer."
    ),
    teaches=_(
        "The reference answer should be TRUE on every line. A line it does not support is wrong, "
        "or the reference answer is incomplete; reviewers ask which."
    ),
    examples=(
        Example(
            "en",
            "States net debt at closing as EUR 143.4 million.",
            "States net debt at closing as about EUR 134 million.",
            "Net debt rises to EUR 134.4 million at closing. I recommend consent.",
        ),
        Example(
            "zh",
            "写明减量后剂量为 5 mg。",
            "写明减量后剂量为 2.5 mg。",
            "阿哌沙班减量为每次 2.5 mg，每日两次。",
        ),
    ),
    scope="reference",
)
SHARE_ZH = 0.2  # lower: terms are pairs of characters, and half of these span two words
SHARE = 0.25  # of a line's terms must be in the reference
ENOUGH_TERMS = 3
MOST_FIGURES = 1_000  # different ones of a text; among more than that almost any figure occurs
# Figures of tolerance or form instruct the scorer and need not be in the reference.
_TOLERANCE = re.compile(
    "|".join(
        row.expression
        for row in (
            Pattern(
                "en",
                r"(?:±|\+/-|within|tolerance|accept\w*|rounding|give or take|at least|at most|"
                r"no (?:more|less|fewer|longer) than|up to|between|minimum of|maximum of|not "
                r"exceed\w*|"
                r"(?:between|from|accept\w*)\s(?:[a-z]{3}\s)?\S{1,12}\s(?:\S{1,12}\s)?(?:and|to|"
                r"or)|"
                r"under|over|below|above)\s*(?:of|any|a|an|the)?\s*"
                r"(?:[A-Z]{3}|[$€£¥])?\s*$",
            ),
            Pattern(
                "zh",
                r"(?:±|误差|允许|至少|至多|不少于|不超过|不多于|之间|介于|上下|左右|以内|"
                r"[到至~—–-])\s*$",
            ),
        )
    ),
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\b(?:keywords?|pages?|words?|paragraphs?|headings?|headed|sections?|bullets?|tables?|"
    r"columns?|"
    r"sentences?|lines?|format\w*|title[ds]?|signature|salutation|addressed|dated|letterhead|"
    r"footnotes?|font|order|beginning|opens?|closes?)\b|"
    r"字以内|字数|页|段落?|标题|表格|列表|格式|称呼|落款|署名|抬头|开头|结尾|句话",
    re.IGNORECASE,
)
_FORMAL = {"structure", "linguistic_quality"}


Figures = tuple[Amount, ...]


@dataclass(frozen=True, eq=False)  # hashed by identity: source() caches one object per text
class Source:
    """A text that lines are compared with.

    Attributes:
        figures: its different figures and dates, as amounts; None for more than `MOST_FIGURES`,
            which are not compared.
        terms: its content terms.
        chinese: whether it is written in Chinese.
    """

    figures: Figures | None
    terms: frozenset[str]
    chinese: bool


@lru_cache(maxsize=64)
def source(text: str) -> Source:
    """Return a text's figures and terms; cached, because it changes less often than the lines."""
    days, undated = dates.split(text)
    figures = {(one.value, one.unit): one for one in (*days, *amounts(undated))}
    return Source(
        tuple(figures.values()) if len(figures) <= MOST_FIGURES else None,
        _stems(terms(text) | content_terms(text)),
        is_chinese(text),
    )


def _stems(found: frozenset[str]) -> frozenset[str]:
    return frozenset(term[:6] for term in found)


def find(
    text: str, reference: str, dimension: str = "", *, concrete: bool = True
) -> Iterator[Mark]:
    """Yield a mark if a figure or most terms of a line are not in the reference.

    Args:
        dimension: of the line; lines about form need no support in the reference.
        concrete: False if another rule has a mark on the line's wording, which will therefore
            change; then its terms are not compared.
    """
    if reference.strip() and text.strip():
        yield from _found(text, source(reference), dimension, concrete)


@lru_cache(maxsize=2_000)
def _found(text: str, found: Source, dimension: str, concrete: bool) -> tuple[Mark, ...]:
    """Cached, because an edit changes only one line of a page."""
    return tuple(_marks(text, found, dimension, concrete))


def _marks(text: str, found: Source, dimension: str, concrete: bool) -> Iterator[Mark]:
    if is_negated(text):
        return
    # Figures are compared across languages, except those about form.
    formal = dimension in _FORMAL or _FORM.search(text)
    if not formal and found.figures is not None:
        missing = _missing_figure(text, found)
        if missing is not None:
            yield Mark(RULE, missing[0], "", missing[1], about=missing[1])
            return
    own = _stems(content_terms(text))
    if (
        formal
        or not concrete
        or not asks_for_something(text)
        or len(own) < ENOUGH_TERMS
        or is_chinese(text) != found.chinese
    ):
        return
    if amounts(text):
        return  # its figures are in the reference
    if len(own & found.terms) < (SHARE_ZH if found.chinese else SHARE) * len(own):
        words = " ".join(text.split())[:60]
        yield Mark(RULE, None, "", words, about="terms")


def _missing_figure(text: str, found: Source) -> tuple[tuple[int, int] | None, str] | None:
    after, figures = 0, found.figures or ()
    days, undated = dates.split(text)
    for day in days:
        if not any(day.unit == other.unit and day.value == other.value for other in figures):
            at = text.find(day.text)
            return (at, at + len(day.text)), day.text
    for figure in amounts(undated):
        at = text.find(figure.text, after)
        if at >= 0:
            if _TOLERANCE.search(text[max(0, at - 40) : at]) or _after_tolerance(text, at, figure):
                after = at + len(figure.text)
                continue
            after = at + len(figure.text)
        elif figure.value == 1:
            continue  # the "一" of words such as "一步" is no figure
        if not _occurs(figure, found):
            span = (at, at + len(figure.text)) if at >= 0 else None
            return span, figure.text
    return None


def _after_tolerance(text: str, at: int, figure: Amount) -> bool:
    rest = text[at + len(figure.text) : at + len(figure.text) + 12]
    return bool(
        re.match(
            r"\s*(?:以内|左右|上下|or (?:more|less|fewer)|tolerance|level|confidence|significance)",
            rest,
        )
    )


@lru_cache(maxsize=4_000)
def _occurs(figure: Amount, found: Source) -> bool:
    """Cached, because a figure that many lines state is looked up once."""
    figures = found.figures or ()
    if any(figure.agrees(other) for other in figures):
        return True
    if any(_scaled(figure, other) for other in figures):
        return True
    return _rounded(figure, figures)


_DAYS = {"day": 1.0, "month": 30.4, "year": 365.0}


def _scaled(figure: Amount, other: Amount) -> bool:
    """Return whether two figures agree but for scale or sign, as in a table headed "EUR million".

    Days, months and years are converted, within 3 %.
    """
    if figure.unit in _DAYS and other.unit in _DAYS:
        days = (figure.value * _DAYS[figure.unit], other.value * _DAYS[other.unit])
        return abs(days[0] - days[1]) <= 0.03 * max(days)
    if figure.unit and other.unit and figure.unit != other.unit:
        return False
    return any(
        abs(abs(figure.value) - abs(other.value) * scale) <= 0.005 * abs(figure.value) + 1e-9
        for scale in (1, 1e3, 1e4, 1e6, 1e8, 1e9, 1e-3, 1e-4, 1e-6, 1e-8, 1e-9)
    )


def _rounded(figure: Amount, found: Figures) -> bool:
    """Return whether the figure is a rounding of one in the reference: "about 134" for "134.4"."""
    digits = re.sub(r"[^0-9.]", "", figure.digits or figure.text)
    if not digits.strip("."):
        return False
    places = len(digits.partition(".")[2])
    step = 0.5 * 10**-places
    if len(digits.replace(".", "").strip("0")) < 2:
        return False
    scale = abs(figure.value) / float(digits.strip(".")) if float(digits.strip(".") or 0) else 1
    return any(
        (not figure.unit or not other.unit or figure.unit == other.unit)
        and abs(abs(other.value) - abs(figure.value)) <= step * scale + 1e-9
        for other in found
    )


CACHED = (source, _found, _occurs)
