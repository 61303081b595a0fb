"""Item analysis of a benchmark: how its tasks and their lines do over the candidates.

Classical test theory, with candidates in the place of examinees (L. Crocker and J. Algina,
Introduction to Classical and Modern Test Theory, 1986, ch. 14; for the corrected correlation
S. Henrysson, Psychometrika 28, 1963).

- Difficulty of a task: 1 − mean S over the candidates.
- Discrimination of a task: Pearson's correlation of the candidates' S on the task with their mean
  over the other tasks. "Corrected" means that the task itself is not in that mean. As candidates
  need not have answered the same tasks, the mean is over S minus the task's mean; where all have
  answered all, this changes nothing.
- Discrimination of a line: the correlation of met (1) or unmet (0) with S over the other lines of
  the task, over responses: the corrected point-biserial correlation.
- Reversed: a negative discrimination that chance does not explain. Of a task by Student's t, of a
  line by an exact permutation test: met or unmet is far from normal, and rubrics of few lines give
  few different points. Both are corrected for their number (Benjamini and Hochberg), tasks among
  the tasks and lines among all lines of the analysis: of thousands, one in twenty would look
  reversed by chance.
- A line decides nothing: neither leaving it out nor any weight from 1 to 10 changes which of two
  candidates is ahead on the task, or whether they tie (judge/base/stats/idle_lines.py).
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from judge.base.stats import tests
from judge.base.stats.idle_lines import decides_nothing
from judge.base.stats.numbers import Number, Reason, TaskId, task_order
from judge.base.stats.tests import benjamini_hochberg, p_of_low_sum

CHANCE = 0.05  # the level, after the correction, at which chance does not explain it
PERMUTED = 30  # responses that meet a line, and that miss it, up to which its test is exact
_UNLIKELY = 0.2  # below it a line's chance is computed exactly; above, it is never named
_NOISE = 1e-9

LineId = Any  # hashable
Said = Mapping[LineId, bool | None]  # a response's verdicts by line; None without one
# The weight of each line, in the order of the rubric, and (candidate, verdicts) of each response.
LinesOfTask = tuple[Mapping[LineId, int], Sequence[tuple[str, Said]]]


@dataclass(frozen=True, slots=True)
class Limits:
    """From where on something is said.

    Attributes:
        candidates: the fewest candidates for a statement about a task; at least 3.
        responses: the fewest responses for a statement about a line; at least 3.
        saturated: the S from which a candidate has nearly all points of a task.
    """

    candidates: int = 5
    responses: int = 8
    saturated: float = 0.95


class Concern(StrEnum):
    """What is wrong with a task or a line."""

    SATURATED = "saturated"  # every candidate has nearly all points
    NO_POINTS = "no_points"  # every candidate has no point at all
    REVERSED = "reversed"  # what does well elsewhere does badly here, more than chance explains
    ALWAYS_MET = "always_met"
    NEVER_MET = "never_met"
    REDUNDANT = "redundant"  # met by exactly the responses that meet another line
    IDLE = "idle"  # it decides nothing


_ORDER = tuple(Concern)


@dataclass(frozen=True, slots=True)
class TaskStatistics:
    """The statistics of one task over candidates; a None has its reason in `why`.

    Attributes:
        candidates: those with a score on the task.
        mean, spread, difficulty: of S in 0..1; the spread is the standard deviation.
        discrimination: −1 to 1.
        p_reversed: the one-sided probability of a discrimination as low as this by chance.
        q_reversed: that, corrected for the number of tasks.
        saturated, no_points: how many candidates reach the limit, and how many have S = 0.
    """

    candidates: int
    mean: float | None
    spread: float | None
    difficulty: float | None
    discrimination: float | None
    p_reversed: float | None
    q_reversed: float | None
    saturated: int
    no_points: int
    concerns: tuple[Concern, ...]
    why: Mapping[str, Reason] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineStatistics:
    """The statistics of one line over the responses to its task; a None has its reason in `why`.

    Attributes:
        responses, met: responses with a verdict on the line, and those that meet it.
        share: met / responses.
        complete: responses with a verdict on every line; discrimination counts these.
        p_reversed, q_reversed: as of a task; corrected for the number of lines of all tasks.
        idle: whether the line decides nothing.
        twins: other lines of the task met by exactly the same responses.
    """

    responses: int
    met: int
    share: float | None
    complete: int
    discrimination: float | None
    p_reversed: float | None
    q_reversed: float | None
    idle: bool | None
    twins: tuple[LineId, ...]
    concerns: tuple[Concern, ...]
    why: Mapping[str, Reason] = field(default_factory=dict)


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None if a side does not vary or there are fewer than two."""
    if len(xs) < 2 or max(xs) - min(xs) < _NOISE or max(ys) - min(ys) < _NOISE:
        return None
    return max(-1.0, min(1.0, statistics.correlation(xs, ys)))


def p_of_negative(r: float, n: int) -> float:
    """Return the one-sided probability of a correlation of at most `r` over `n` pairs by chance.

    Student's t with n − 2 degrees of freedom, t = r √((n − 2) / (1 − r²)). 1 with fewer than three
    pairs, which say nothing.
    """
    if n < 3:
        return 1.0
    if abs(r) > 1 - _NOISE:
        return 0.0 if r < 0 else 1.0
    t = r * math.sqrt((n - 2) / (1 - r * r))
    outer = (1 - tests.central_probability(abs(t), n - 2)) / 2
    return outer if t < 0 else 1 - outer


# -- tasks ----------------------------------------------------------------------------------------


def analyse_tasks(
    scores: Mapping[TaskId, Mapping[str, Number]], limits: Limits | None = None
) -> dict[TaskId, TaskStatistics]:
    """Return the statistics of each task.

    Args:
        scores: task -> candidate -> mean S of its responses, in 0..1. Candidates without a score
            are left out.
    """
    limits = limits or Limits()
    given = {
        task: {who: float(s) for who, s in scores[task].items()}
        for task in sorted(scores, key=task_order)
    }
    above: dict[str, list[float]] = defaultdict(list)  # candidate -> S minus the task's mean
    means = {task: math.fsum(row.values()) / len(row) for task, row in given.items() if row}
    for task, row in given.items():
        for who, s in row.items():
            above[who].append(s - means[task])
    totals = {who: (math.fsum(values), len(values)) for who, values in above.items()}
    found = {
        task: _task(row, means.get(task), totals, len(given), limits) for task, row in given.items()
    }
    return {
        task: replace(figures, q_reversed=q, concerns=(*figures.concerns, *_reversed(q)))
        for (task, figures), q in zip(
            found.items(), _corrected([row.p_reversed for row in found.values()]), strict=True
        )
    }


def _task(
    row: Mapping[str, float],
    mean: float | None,
    totals: Mapping[str, tuple[float, int]],
    tasks: int,
    limits: Limits,
) -> TaskStatistics:
    n = len(row)
    if mean is None:
        names = ("mean", "spread", "difficulty", "discrimination")
        why = dict.fromkeys(names, Reason.NO_SCORES)
        return TaskStatistics(0, None, None, None, None, None, None, 0, 0, (), why)
    pairs = [
        (s, (totals[who][0] - (s - mean)) / (totals[who][1] - 1))
        for who, s in row.items()
        if totals[who][1] > 1
    ]
    found, p, reason = _discrimination(
        pairs, limits.candidates, Reason.ONE_TASK if tasks < 2 else Reason.FEW_CANDIDATES
    )
    saturated = sum(s >= limits.saturated - _NOISE for s in row.values())
    no_points = sum(s <= _NOISE for s in row.values())
    concerns = []
    if n >= limits.candidates:
        if saturated == n:
            concerns.append(Concern.SATURATED)
        if no_points == n:
            concerns.append(Concern.NO_POINTS)
    why = {"discrimination": reason} if reason else {}
    spread = statistics.stdev(row.values()) if n > 1 else None
    if spread is None:
        why["spread"] = Reason.FEW_CANDIDATES
    return TaskStatistics(
        candidates=n,
        mean=mean,
        spread=spread,
        difficulty=1 - mean,
        discrimination=found,
        p_reversed=p,
        q_reversed=None,
        saturated=saturated,
        no_points=no_points,
        concerns=tuple(concerns),
        why=why,
    )


def _discrimination(
    pairs: Sequence[tuple[float, float]], fewest: int, few: Reason
) -> tuple[float | None, float | None, Reason | None]:
    """Return the correlation of the pairs, its p, and why there is none."""
    if len(pairs) < max(3, fewest):
        return None, None, few
    xs, ys = [x for x, _y in pairs], [y for _x, y in pairs]
    if max(xs) - min(xs) < _NOISE:
        return None, None, Reason.CONSTANT
    r = correlation(xs, ys)
    if r is None:
        return None, None, Reason.NO_SPREAD_IN_THE_REST
    return r, p_of_negative(r, len(pairs)), None


def _corrected(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct those that are known for their number."""
    known = iter(benjamini_hochberg([p for p in p_values if p is not None]))
    return [None if p is None else next(known) for p in p_values]


def _reversed(q: float | None) -> tuple[Concern, ...]:
    return (Concern.REVERSED,) if q is not None and q <= CHANCE else ()


# -- lines ----------------------------------------------------------------------------------------


def analyse_lines(
    tasks: Mapping[TaskId, LinesOfTask], limits: Limits | None = None
) -> dict[TaskId, dict[LineId, LineStatistics]]:
    """Return the statistics of each line of each task."""
    limits = limits or Limits()
    found = {task: _lines(*given, limits) for task, given in tasks.items()}
    every = [(task, line) for task, lines in found.items() for line in lines]
    for (task, line), q in zip(
        every, _corrected([found[task][line].p_reversed for task, line in every]), strict=True
    ):
        figures = found[task][line]
        concerns = sorted((*figures.concerns, *_reversed(q)), key=_ORDER.index)
        found[task][line] = replace(figures, q_reversed=q, concerns=tuple(concerns))
    return found


def _lines(
    weights: Mapping[LineId, int], responses: Sequence[tuple[str, Said]], limits: Limits
) -> dict[LineId, LineStatistics]:
    complete = [
        (who, {line: bool(said[line]) for line in weights})
        for who, said in responses
        if all(said.get(line) is not None for line in weights)
    ]
    twins = _twins(weights, complete, limits.responses)
    idle = decides_nothing(weights, complete)
    return {
        line: _line(line, weights, responses, complete, idle.get(line), twins[line], limits)
        for line in weights
    }


def _line(
    line: LineId,
    weights: Mapping[LineId, int],
    responses: Sequence[tuple[str, Said]],
    complete: Sequence[tuple[str, Mapping[LineId, bool]]],
    idle: bool | None,
    twins: tuple[LineId, ...],
    limits: Limits,
) -> LineStatistics:
    decided = [said[line] for _who, said in responses if said.get(line) is not None]
    met = sum(bool(one) for one in decided)
    rest = sum(weights.values()) - weights[line]
    points = [
        sum(weights[other] for other, x in said.items() if x and other != line)
        for _who, said in complete
        if rest
    ]
    meets = [said[line] for _who, said in complete]
    pairs = [(float(one), p / rest) for one, p in zip(meets, points, strict=False)]
    few = Reason.FEW_RESPONSES if rest else Reason.ONE_LINE
    found, p, reason = _discrimination(pairs, limits.responses, few)
    if p is not None and p < _UNLIKELY and min(sum(meets), len(meets) - sum(meets)) <= PERMUTED:
        p = p_of_low_sum(points, meets)
    if reason is Reason.CONSTANT:
        reason = Reason.ONE_CLASS
    why = {"discrimination": reason} if reason else {}
    if not decided:
        why["share"] = Reason.NONE_JUDGED
    if idle is None:
        why["idle"] = Reason.FEW_CANDIDATES
    concerns = []
    varies = 0 < met < len(decided)
    if len(decided) >= limits.responses and not varies:
        concerns.append(Concern.ALWAYS_MET if met else Concern.NEVER_MET)
    if twins:
        concerns.append(Concern.REDUNDANT)
    if idle and varies and len(complete) >= limits.responses:
        concerns.append(Concern.IDLE)
    return LineStatistics(
        responses=len(decided),
        met=met,
        share=met / len(decided) if decided else None,
        complete=len(complete),
        discrimination=found,
        p_reversed=p,
        q_reversed=None,
        idle=idle,
        twins=twins,
        concerns=tuple(concerns),
        why=why,
    )


def _twins(
    weights: Mapping[LineId, int],
    complete: Sequence[tuple[str, Mapping[LineId, bool]]],
    fewest: int,
) -> dict[LineId, tuple[LineId, ...]]:
    """Return the other lines with the same verdicts on every response, if these vary.

    At least two responses have to meet the lines and two to miss them: with one exception, two
    lines are soon alike by chance.
    """
    patterns: dict[tuple[bool, ...], list[LineId]] = defaultdict(list)
    for line in weights:
        patterns[tuple(said[line] for _who, said in complete)].append(line)
    found: dict[LineId, tuple[LineId, ...]] = dict.fromkeys(weights, ())
    for pattern, lines in patterns.items():
        if len(pattern) >= fewest and 2 <= sum(pattern) <= len(pattern) - 2:
            for line in lines:
                found[line] = tuple(other for other in lines if other != line)
    return found


def mean_score(
    weights: Mapping[LineId, int], rows: Sequence[Mapping[LineId, bool]]
) -> Fraction | None:
    """Return the mean S of complete responses, exactly; None without one or without weight."""
    below = sum(weights.values()) * len(rows)
    if not below:
        return None
    return Fraction(sum(weights[line] for said in rows for line, x in said.items() if x), below)
