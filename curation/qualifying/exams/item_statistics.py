"""Item statistics of an exam: pure functions, without Django.

Classical test theory: difficulty is the mean share of points, discrimination the corrected
item–rest correlation. For a question graded right or wrong this is the point-biserial correlation
with the rest of the paper. As every paper is drawn, the rest is the share of the points that the
other questions of the same paper could give.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean, median
from typing import Any

FEWEST = 10  # minimum number of answers for a statement
EASY, HARD, WEAK = 0.95, 0.25, 0.10


@dataclass(frozen=True)
class Answered:
    """A graded answer to one question of one paper.

    Attributes:
        answer: indexes of the chosen options in the bank for choices, else any value.
        seconds: time with the question in view; 0 if not measured.
    """

    paper: int
    question: int
    points: int
    possible: int
    seconds: int = 0
    answer: Any = None


@dataclass(frozen=True)
class Item:
    """The statistics of one question.

    Attributes:
        n: number of graded answers.
        difficulty: mean share of points, 0 to 1; None without answers.
        discrimination: corrected item–rest correlation, −1 to 1; None for the `reason`.
        reason: "few", "same" (everybody got the same points) or "rest" (all rests are equal).
        seconds: median of the measured times; None if none was measured.
        chosen: index of an option -> how many chose it.
        empty: number of questions left open.
        strong: index of an option -> mean rest share of those who chose it.
    """

    question: int
    n: int = 0
    difficulty: float | None = None
    discrimination: float | None = None
    reason: str = ""
    seconds: float | None = None
    chosen: dict[int, int] = field(default_factory=dict)
    empty: int = 0
    strong: dict[int, float] = field(default_factory=dict)


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None if one side does not vary."""
    mx, my = mean(xs), mean(ys)
    sxx = sum((x - mx) ** 2 for x in xs)
    syy = sum((y - my) ** 2 for y in ys)
    if sxx < 1e-12 or syy < 1e-12:
        return None
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    return max(-1.0, min(1.0, sxy / sqrt(sxx * syy)))


def analyse(answers: Iterable[Answered]) -> dict[int, Item]:
    """Return question -> statistics. Linear in the number of answers."""
    rows = list(answers)
    totals: dict[int, list[int]] = {}
    by_question: dict[int, list[Answered]] = {}
    for row in rows:
        total = totals.setdefault(row.paper, [0, 0])
        total[0] += row.points
        total[1] += row.possible
        by_question.setdefault(row.question, []).append(row)
    return {pk: _item(pk, given, totals) for pk, given in by_question.items()}


def _item(pk: int, given: list[Answered], totals: dict[int, list[int]]) -> Item:
    scores = [row.points / row.possible for row in given]
    rests = [_rest(row, totals[row.paper]) for row in given]
    measured = [row.seconds for row in given if row.seconds > 0]
    discrimination, reason = _discrimination(scores, rests)
    chosen: Counter[int] = Counter()
    strength: dict[int, list[float]] = {}
    empty = 0
    for row, rest in zip(given, rests, strict=True):
        places = row.answer if isinstance(row.answer, list) else []
        empty += row.answer in (None, "", [])
        for place in places:
            if type(place) is int:
                chosen[place] += 1
                if rest is not None:
                    strength.setdefault(place, []).append(rest)
    return Item(
        question=pk,
        n=len(given),
        difficulty=mean(scores),
        discrimination=discrimination,
        reason=reason,
        seconds=median(measured) if measured else None,
        chosen=dict(chosen),
        empty=empty,
        strong={place: mean(rests) for place, rests in strength.items()},
    )


def _rest(row: Answered, total: list[int]) -> float | None:
    possible = total[1] - row.possible
    return (total[0] - row.points) / possible if possible else None


def _discrimination(
    scores: Sequence[float], rests: Sequence[float | None]
) -> tuple[float | None, str]:
    pairs = [(s, r) for s, r in zip(scores, rests, strict=True) if r is not None]
    if len(pairs) < FEWEST:
        return None, "few"
    xs, ys = [s for s, _r in pairs], [r for _s, r in pairs]
    if max(xs) - min(xs) < 1e-12:
        return None, "same"
    value = correlation(xs, ys)
    return (None, "rest") if value is None else (value, "")


def concern(item: Item, *, options: int = 0, key: Sequence[int] = ()) -> tuple[int, str]:
    """Return (urgency, name) of the most urgent concern; (0, "") if nothing stands out.

    Args:
        options: number of options of a choice, 0 for other kinds.
        key: indexes of the right options.

    The names: "reversed" (the strong get it wrong), "strong_distractor" (a wrong option is chosen
    by stronger candidates than the right one), "weak", "hard", "easy", "idle_option" (a wrong
    option nobody chose), "few".
    """
    if item.n < FEWEST or item.difficulty is None:
        return 1, "few"
    found = item.discrimination
    if found is not None and found < 0:
        return 7, "reversed"
    right = [item.strong[place] for place in key if place in item.strong]
    wrong = [
        mean_rest
        for place, mean_rest in item.strong.items()
        if place not in key and item.chosen.get(place, 0) >= 3
    ]
    if options and len(key) == 1 and right and wrong and max(wrong) > right[0]:
        return 6, "strong_distractor"
    if found is not None and found < WEAK:
        return 5, "weak"
    if item.difficulty < HARD:
        return 4, "hard"
    if item.difficulty > EASY:
        return 3, "easy"
    if any(place not in key and not item.chosen.get(place) for place in range(options)):
        return 2, "idle_option"
    return 0, ""
