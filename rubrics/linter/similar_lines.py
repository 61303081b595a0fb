"""Rules for pairs of lines: near duplicates, and lines that contradict each other."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from django.utils.translation import gettext_lazy as _

from curation.base.text.comparisons import key_of
from curation.base.text.language import NUMBER_WORDS, Amount, amounts, is_chinese, is_negated, stem
from rubrics.linter import dates
from rubrics.linter.rule import Example, Mark, Pattern, Rule
from rubrics.linter.words import content_terms

NEAR_DUPLICATE = Rule(
    code="near_duplicate",
    name=_("almost a duplicate"),
    message=_("Almost the same as line %(n)s. One of them can go."),
    teaches=_("What is said twice counts twice: the weight of the point doubles unnoticed."),
    examples=(
        Example(
            "en",
            "States the leverage at closing as 3.34x",
            "States leverage at signing as 3.18x.",
            "States leverage at closing as 3.34x.",
        ),
        Example(
            "zh",
            "写明违约金的比例为 20%",
            "写明违约金的上限为损失的 130%。",
            "写明违约金的比例为 20%。",
        ),
    ),
    scope="lines",
)
CONTRADICTION = Rule(
    code="contradiction",
    name=_("contradicts another line"),
    message=_("Line %(n)s asks for the opposite or for another figure. Only one can be TRUE."),
    teaches=_(
        "Two lines that exclude one another take points from every answer, the best included. One "
        "of them is left over from an earlier thought, or they mean two different things and "
        "should say which."
    ),
    examples=(
        Example(
            "en",
            "States leverage at closing as 3.18x.",
            "States leverage at signing as 3.18x.",
            "States leverage at closing as 3.34x.",
        ),
        Example(
            "en",
            "Recommends that the committee reject the waiver.",
            "Recommends that the committee accept the waiver for two quarters.",
            "Recommends that the committee accept the waiver.",
        ),
        Example("zh", "写明违约金比例为 30%。", "写明定金比例为 30%。", "写明违约金比例为 20%。"),
    ),
    scope="lines",
)
ALIKE_ZH = 0.7
ALIKE = 0.8  # Jaccard index of the lines' terms from which they count as alike
_OPPOSITES = (
    Pattern(
        "en",
        "accept/reject accept/refuse approve/refuse approve/reject allow/forbid allow/prohibit "
        "increase/decrease increase/reduce increas/decreas increas/reduc rise/fall raise/lower "
        "raise/cut start/stop continue/stop "
        "start/discontinue begin/end above/below over/under more/less higher/lower before/after "
        "maximum/minimum most/least first/last grant/deny admit/deny admissible/inadmissible "
        "valid/invalid valid/void lawful/unlawful taxable/exempt profit/loss buy/sell "
        "hire/dismiss credit/debit long/short open/closed include/exclude includes/excludes "
        "guilty/innocent liable/exempt positive/negative win/lose met/missed upheld/dismissed "
        "possible/impossible sufficient/insufficient significant/insignificant correct/incorrect "
        "kept/exceeded kept/breached met/breached met/failed passes/fails passed/failed "
        "satisfied/violated "
        "mandatory/optional voluntary/mandatory fixed/variable renew/terminate",
    ),
    Pattern(
        "zh",
        "同意/拒绝 批准/驳回 接受/拒绝 允许/禁止 上升/下降 增加/减少 提高/降低 高于/低于 "
        "大于/小于 早于/晚于 "
        "之前/之后 最高/最低 有效/无效 合法/违法 成立/不成立 继续/停止 停用/继续 支持/反对 "
        "盈利/亏损 买入/卖出 "
        "借方/贷方 有罪/无罪 可以/不得 应当/不得 必须/无需 流入/流出 升/降 增/减",
    ),
)
_PAIRS = [pair.split("/") for row in _OPPOSITES for pair in row.expression.split()]
_SIDE: dict[str, set[tuple[int, int]]] = {}
for _n, _pair in enumerate(_PAIRS):
    for _side, _word in enumerate(_pair):
        _SIDE.setdefault(_word, set()).add((_n, _side))
_EN_SIDES = re.compile(
    r"\b("
    + "|".join(sorted((w for w in _SIDE if w.isascii()), key=len, reverse=True))
    + r")(?:s|d|ed|es|ing)?\b",
    re.IGNORECASE,
)
_ZH_SIDES = re.compile(
    "(" + "|".join(sorted((w for w in _SIDE if not w.isascii()), key=len, reverse=True)) + ")"
)


# "twenty-three" is one term; stemming may have removed the "e" of its last word.
_SPELLED = frozenset(
    part
    for word in (*NUMBER_WORDS, "half", "twice")
    for part in (word, stem(word), word.removesuffix("e"))
)


class LineFeatures:
    """The features by which lines are compared.

    Attributes:
        text: the normalised text.
        terms: content terms without numbers and opposites.
        figures: dates, then amounts, each in order of appearance.
        sides: (index of a pair of opposites, 0 or 1) of each word of such a pair.
        negated: whether the line is negated.
        chinese: whether it is in Chinese.
    """

    __slots__ = ("chinese", "figures", "negated", "sides", "terms", "text")

    def __init__(self, text: str) -> None:
        self.text = key_of(text)
        days, undated = dates.split(text)
        without, self.sides = _without_sides(undated)
        self.terms = _without_numbers(content_terms(without))
        self.figures = (*days, *amounts(undated))
        self.negated = is_negated(text)
        self.chinese = is_chinese(text)


def _without_sides(text: str) -> tuple[str, frozenset[tuple[int, int]]]:
    sides: set[tuple[int, int]] = set()

    def take(match: re.Match[str]) -> str:
        sides.update(_SIDE[match.group(1).lower()])
        return " "

    return _ZH_SIDES.sub(take, _EN_SIDES.sub(take, text)), frozenset(sides)


def _without_numbers(terms: frozenset[str]) -> frozenset[str]:
    return frozenset(
        term
        for term in terms
        if not any(c.isdigit() for c in term)
        and not all(part in _SPELLED for part in term.split("-"))
    )


@lru_cache(maxsize=2_000)
def features_of(text: str) -> LineFeatures:
    """Return a line's features; cached, because an edit changes only one line of a page."""
    return LineFeatures(text)


def find(texts: Sequence[str]) -> list[list[Mark]]:
    """Return at most one mark per line, on the first earlier line it repeats or contradicts."""
    read = [features_of(text) for text in texts]
    found: list[list[Mark]] = [[] for _text in texts]
    for n, line in enumerate(read):
        for other in range(n):
            rule = _between(read[other], line)
            if rule is not None:
                found[n].append(Mark(rule, about=read[other].text, other=other))
                break
    return found


def _between(one: LineFeatures, other: LineFeatures) -> Rule | None:
    if one.text == other.text:
        return NEAR_DUPLICATE if one.text else None
    shared, every = len(one.terms & other.terms), len(one.terms | other.terms)
    changed = _changed(one.figures, other.figures)
    if not shared or shared < (ALIKE_ZH if one.chinese and other.chinese else ALIKE) * every:
        least = min(len(one.terms), len(other.terms))
        specific = changed == 0 and any(_is_specific(figure) for figure in one.figures)
        same = specific and shared == least >= 2 and one.negated == other.negated
        return NEAR_DUPLICATE if same and one.sides == other.sides else None
    opposed = _opposed(one.sides, other.sides)
    if one.sides != other.sides and not opposed:
        return None  # different things, such as before and after, first and last
    opposite = opposed != (one.negated != other.negated)
    if changed == 0:
        if not opposite:
            return NEAR_DUPLICATE
        return CONTRADICTION if shared == every else None
    if opposite and shared == every and not (one.figures and other.figures):
        return CONTRADICTION
    return CONTRADICTION if changed == 1 and shared == every and not opposite else None


def _opposed(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> bool:
    """Return whether the lines have opposite words of one pair."""
    mine, theirs = one - other, other - one
    return any((n, 1 - side) in theirs for n, side in mine)


def _changed(one: tuple[Amount, ...], other: tuple[Amount, ...]) -> int | None:
    """Count the figures that differ, pairwise in order, up to 2; None if they are not comparable.

    Figures of different units, such as an amount and a share, do not contradict each other.
    """
    if len(one) != len(other):
        return None
    differing = ((a, b) for a, b in zip(one, other, strict=True) if not _same(a, b))
    pairs = list(islice(differing, 2))
    if any(a.unit != b.unit for a, b in pairs):
        return None
    return len(pairs)


def _is_specific(figure: Amount) -> bool:
    """Return whether a figure has at least two digits, so that it identifies what is meant."""
    return sum(c.isdigit() for c in figure.digits or figure.text) >= 2


def _same(one: Amount, other: Amount) -> bool:
    return one.value == other.value if one.unit == other.unit == "date" else one.agrees(other)
