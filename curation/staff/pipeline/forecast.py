"""When a number of tasks will be approved, from the approvals of the last weeks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, sqrt
from statistics import mean, stdev

FEWEST_WEEKS = 4
FEWEST_APPROVALS = 5
# Weeks -> standard errors to either side, between which eight of ten such means lie: Student's t
# with one degree of freedom less. More weeks than eight would need a little less.
WIDTHS = {4: 1.638, 5: 1.533, 6: 1.476, 7: 1.440, 8: 1.415}
FARTHEST = 3650  # days; what would take longer is no forecast
GOALS = (10, 25, 50, 100, 200, 300, 500, 1000, 1500, 2000, 3000, 5000, 10_000)


@dataclass(frozen=True, slots=True)
class Forecast:
    """When a goal is reached.

    Attributes:
        per_week: mean number of approvals in a week; None with too little history.
        earliest, likely, latest: days; None with too little history. `latest` is also None where
            the slowest likely pace would never get there.
        why: why there is no forecast: "reached", "history" or "far"; "" if there is one.
    """

    goal: int
    ready: int
    weeks: int
    per_week: float | None = None
    earliest: date | None = None
    likely: date | None = None
    latest: date | None = None
    why: str = ""

    @property
    def missing(self) -> int:
        return max(0, self.goal - self.ready)


def forecast(*, goal: int, ready: int, weekly: Sequence[int], today: date) -> Forecast:
    """Return when a number of approved tasks will be reached.

    The mean of the weeks since the first approval goes on; the interval is that in which the true
    mean lies in eight of ten cases.

    Args:
        ready: approved tasks now.
        weekly: approvals in each whole week, oldest first.
    """
    first = next((n for n, count in enumerate(weekly) if count), len(weekly))
    lived = weekly[first:]
    weeks = len(lived)
    if ready >= goal:
        return Forecast(goal, ready, weeks, why="reached")
    if weeks < FEWEST_WEEKS or sum(lived) < FEWEST_APPROVALS:
        return Forecast(goal, ready, weeks, why="history")
    pace = mean(lived)
    error = WIDTHS[min(weeks, max(WIDTHS))] * stdev(lived) / sqrt(weeks)
    likely = _day(goal - ready, pace, today)
    if likely is None:
        return Forecast(goal, ready, weeks, per_week=pace, why="far")
    return Forecast(
        goal,
        ready,
        weeks,
        per_week=pace,
        earliest=_day(goal - ready, pace + error, today),
        likely=likely,
        latest=_day(goal - ready, pace - error, today),
    )


def _day(missing: int, pace: float, today: date) -> date | None:
    days = ceil(7 * missing / pace) if pace > 0 else FARTHEST + 1
    return today + timedelta(days=days) if days <= FARTHEST else None


def next_goal(ready: int) -> int:
    """Return the next round number of tasks above what is ready."""
    return next((goal for goal in GOALS if goal > ready), ready + 10_000)
