"""Reliability: the experts' mean score in bands of the judge's score.

A judge whose 80 is the experts' 80 lies on the line of equality. A judge that is kind to weak
answers lies below it on the left, which a mean over all answers does not show.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.base.stats import bootstrap
from judge.base.stats.numbers import Interval, Number, Reason, TaskId, as_list, as_reasons, reasons

BANDS = 5  # of equal width from 0 to 1


@dataclass(frozen=True, slots=True)
class Band:
    """The responses to which the judge gave between `low` and `high` (S in 0..1).

    `judge` and `experts` are mean S in 0..1. `ci95` is the interval of the experts' mean, or None
    with its reason in `why`. Only the highest band includes `high`.
    """

    low: float
    high: float
    responses: int
    judge: float
    experts: float
    ci95: Interval | None
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        return {
            "low": self.low,
            "high": self.high,
            "responses": self.responses,
            "judge": self.judge,
            "experts": self.experts,
            "ci95": as_list(self.ci95),
            "why": as_reasons(self.why),
        }


def reliability(
    rows: Iterable[tuple[TaskId, Number, Number | None]],
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
) -> tuple[Band, ...]:
    """Return the bands that have a response.

    Args:
        rows: (task, S of the experts, S of the judge or None) of each response.

    Raises:
        ValueError: a score is outside 0..1.
    """
    judged: dict[int, list[float]] = defaultdict(list)
    given: dict[int, dict[TaskId, list[float]]] = defaultdict(lambda: defaultdict(list))
    for task, of_experts, of_judge in rows:
        if of_judge is None:
            continue
        expert, judge = float(of_experts), float(of_judge)
        if not (0 <= expert <= 1 and 0 <= judge <= 1):
            raise ValueError("a share of lines lies between 0 and 1")
        band = min(BANDS - 1, int(round(judge, 12) * BANDS))
        judged[band].append(judge)
        given[band][task].append(expert)
    # fsum is exact, so that no sum depends on the order of the rows.
    by_task: dict[TaskId, list[tuple[float, float]]] = defaultdict(lambda: [(0.0, 0.0)] * BANDS)
    for band, tasks in given.items():
        for task, scores in tasks.items():
            by_task[task][band] = (math.fsum(scores), float(len(scores)))
    intervals = bootstrap.ratio_intervals(by_task, seed=seed, resamples=resamples, span=(0.0, 1.0))
    return tuple(
        Band(
            low=band / BANDS,
            high=(band + 1) / BANDS,
            responses=len(scores),
            judge=math.fsum(scores) / len(scores),
            experts=math.fsum(row[band][0] for row in by_task.values()) / len(scores),
            ci95=intervals[band][0],
            why=reasons({"ci95": intervals[band][1]}),
        )
        for band, scores in sorted(judged.items())
    )
