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
- A line decides nothing: neither leaving it out nor any weight from 1 to 10 changes which of two
  candidates is ahead on the task, or whether they tie. See `decides_nothing`.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from judge.stats import student
from judge.stats.numbers import Number, TaskId, task_order
from judge.stats.reasons import Reason

MOST_WEIGHT = 10
CHANCE = 0.05  # one-sided level at which a negative correlation is more than chance explains
_NOISE = 1e-9

LineId = Any  # hashable
Said = Mapping[LineId, bool | None]  # a response's verdicts by line; None without one


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


@dataclass(frozen=True, slots=True)
class TaskStatistics:
    """The statistics of one task over candidates; a None has its reason in `why`.

    Attributes:
        candidates: those with a score on the task.
        mean, spread, difficulty: of S in 0..1; the spread is the standard deviation.
        discrimination: −1 to 1.
        p_reversed: the one-sided probability of a discrimination as low as this by chance.
        saturated, no_points: how many candidates reach the limit, and how many have S = 0.
    """

    candidates: int
    mean: float | None
    spread: float | None
    difficulty: float | None
    discrimination: float | None
    p_reversed: float | None
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
        idle: whether the line decides nothing.
        twins: other lines of the task met by exactly the same responses.
    """

    responses: int
    met: int
    share: float | None
    complete: int
    discrimination: float | None
    p_reversed: float | None
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
    outer = (1 - student.central_probability(abs(t), n - 2)) / 2
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
    return {
        task: _task(row, means.get(task), totals, len(given), limits) for task, row in given.items()
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
        return TaskStatistics(0, None, None, None, None, None, 0, 0, (), why)
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
    if p is not None and p < CHANCE:
        concerns.append(Concern.REVERSED)
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


# -- lines ----------------------------------------------------------------------------------------


def analyse_lines(
    weights: Mapping[LineId, int],
    responses: Sequence[tuple[str, Said]],
    limits: Limits | None = None,
) -> dict[LineId, LineStatistics]:
    """Return the statistics of each line of one task.

    Args:
        weights: line -> its weight, in the order of the rubric.
        responses: (candidate, verdicts) of each response to the task.
    """
    limits = limits or Limits()
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
    pairs = [
        (
            float(said[line]),
            sum(weights[other] for other, x in said.items() if x and other != line) / rest,
        )
        for _who, said in complete
        if rest
    ]
    few = Reason.FEW_RESPONSES if rest else Reason.ONE_LINE
    found, p, reason = _discrimination(pairs, limits.responses, few)
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
    if p is not None and p < CHANCE:
        concerns.append(Concern.REVERSED)
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


def decides_nothing(
    weights: Mapping[LineId, int], complete: Iterable[tuple[str, Mapping[LineId, bool]]]
) -> dict[LineId, bool]:
    """Return line -> whether it decides nothing on its task; {} with fewer than two candidates.

    For two candidates let R be the difference of the points of all other lines, δ that of this
    line (met or not), and w its weight. Who is ahead is the sign of R + w δ, which only rises or
    only falls as w grows. So it is the same for every w from 0 (the line left out) to
    `MOST_WEIGHT`, or to the line's own weight if that is larger, exactly if it is the same at both
    ends. The line decides nothing if that holds for every pair of candidates. Points are exact;
    several responses of a candidate count by their mean.
    """
    samples: dict[str, list[Mapping[LineId, bool]]] = defaultdict(list)
    for who, said in complete:
        samples[who].append(said)
    if len(samples) < 2:
        return {}
    common = math.lcm(*(len(rows) for rows in samples.values()))
    met = [
        {line: sum(said[line] for said in rows) * (common // len(rows)) for line in weights}
        for _who, rows in sorted(samples.items())
    ]
    points = [sum(weights[line] * row[line] for line in weights) for row in met]
    pairs = [(a, b) for a in range(len(met)) for b in range(a)]
    return {
        line: all(
            _sign(difference - weight * delta)
            == _sign(difference + (max(weight, MOST_WEIGHT) - weight) * delta)
            for a, b in pairs
            if (delta := met[a][line] - met[b][line])
            for difference in (points[a] - points[b],)
        )
        for line, weight in weights.items()
    }


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def mean_score(
    weights: Mapping[LineId, int], rows: Sequence[Mapping[LineId, bool]]
) -> Fraction | None:
    """Return the mean S of complete responses, exactly; None without one or without weight."""
    below = sum(weights.values()) * len(rows)
    if not below:
        return None
    return Fraction(sum(weights[line] for said in rows for line, x in said.items() if x), below)
