"""What the experts say where a judge gives so many points: reliability, band by band.

A judge whose 80 means the experts' 80 lies on the line of equality. One that is kind to weak
answers lies below it on the left, and no mean over all answers shows that.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from judge.stats import bootstrap
from judge.stats.numbers import Interval, Number, TaskId, as_list

BANDS = 5  # of equal width from 0 to 1


@dataclass(frozen=True, slots=True)
class Band:
    """Responses to which the judge gave between `low` and `high` (S in 0..1).

    The means are S in 0..1; `ci95` is that of the experts' mean, None with fewer than two tasks.
    The highest band holds its upper end too.
    """

    low: float
    high: float
    responses: int
    judge: float
    experts: float
    ci95: Interval | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "low": self.low,
            "high": self.high,
            "responses": self.responses,
            "judge": self.judge,
            "experts": self.experts,
            "ci95": as_list(self.ci95),
        }


def reliability(
    rows: Iterable[tuple[TaskId, Number, Number | None]],
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
) -> tuple[Band, ...]:
    """Bands that hold a response, from (task, S of the experts, S of the judge or None) of each.

    Raises ValueError for a score outside 0..1.
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
    # fsum: no sum depends on the order of the rows.
    by_task: dict[TaskId, list[tuple[float, float]]] = defaultdict(lambda: [(0.0, 0.0)] * BANDS)
    for band, tasks in given.items():
        for task, scores in tasks.items():
            by_task[task][band] = (math.fsum(scores), float(len(scores)))
    intervals = bootstrap.ratio_intervals(by_task, seed=seed, resamples=resamples)
    return tuple(
        Band(
            low=band / BANDS,
            high=(band + 1) / BANDS,
            responses=len(scores),
            judge=math.fsum(scores) / len(scores),
            experts=math.fsum(row[band][0] for row in by_task.values()) / len(scores),
            ci95=intervals[band],
        )
        for band, scores in sorted(judged.items())
    )
