"""Self-preference: whether a judge favours candidates of its own house, compared with experts.

Bias is judge minus experts in points of 100. Self-preference is the bias towards candidates of the
judge's house minus the bias towards all others, over the tasks that both answered. A judge that is
equally kind to all candidates has none.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.base.stats import bootstrap
from judge.base.stats.numbers import (
    Interval,
    Number,
    Reason,
    TaskId,
    as_list,
    as_reasons,
    reasons,
    task_order,
)

Sums = Mapping[TaskId, tuple[float, float]]  # task -> sum of judge minus experts, responses


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """The self-preference of a judge; `difference` is in points of 100, above 0 if it has any."""

    house: str
    difference: float | None
    ci95: Interval | None
    tasks: int
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        return {
            "house": self.house or None,
            "difference": self.difference,
            "ci95": as_list(self.ci95),
            "tasks": self.tasks,
            "why": as_reasons(self.why),
        }


def bias_by_task(rows: Iterable[tuple[TaskId, Number, Number | None]]) -> Sums:
    """Return task -> (sum of the bias in points of 100, number of judged responses).

    Args:
        rows: (task, S of the experts, S of the judge or None) of each response.
    """
    found: dict[TaskId, list[float]] = defaultdict(list)
    for task, expert, judge in rows:
        if judge is not None:
            found[task].append(100 * (float(judge) - float(expert)))
    # fsum is exact, so that the sum does not depend on the order of the rows.
    return {task: (math.fsum(gaps), float(len(gaps))) for task, gaps in found.items()}


def self_preference(
    own: Sums, others: Sums, house: str, *, seed: int = 0, resamples: int = bootstrap.RESAMPLES
) -> SelfPreference:
    """Compute the bias towards the judge's house minus that towards the others, paired by task."""
    common = sorted(own.keys() & others.keys(), key=task_order)
    if not common:
        why = Reason.NO_COMMON_TASKS if own and others else Reason.NOTHING_OWN
        return SelfPreference(house, None, None, 0, {"difference": why, "ci95": why})
    means = [
        sum(side[task][0] for task in common) / sum(side[task][1] for task in common)
        for side in (own, others)
    ]
    ci95, reason = bootstrap.difference_interval(own, others, seed=seed, resamples=resamples)
    return SelfPreference(house, means[0] - means[1], ci95, len(common), reasons({"ci95": reason}))
