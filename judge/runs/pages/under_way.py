"""The runs that staff have to watch: their progress, and their money."""

from dataclasses import dataclass
from typing import Any

from judge.asking.calls.cost import in_dollars
from judge.runs.engine.models import JudgeRun
from judge.runs.pages.queries import RunRow, list_rows, run_rows, status_of

State = JudgeRun.State
OPEN = (State.RUNNING, State.WAITING, State.PAUSED, State.STOPPED)


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A run that is not at its end; `budget` in dollars, None without one."""

    row: RunRow
    budget: float | None

    @property
    def status(self) -> tuple[str, Any]:
        """The shape and the words of its state."""
        return status_of(self.row.run)

    @property
    def segments(self) -> list[tuple[int, str, str]]:
        """The bar of its responses: judged, failed, left."""
        left = self.row.responses - self.row.judged - self.row.failed
        return [(self.row.judged, "ink", ""), (self.row.failed, "no", ""), (left, "empty", "")]


def runs_under_way(most: int) -> list[UnderWay]:
    """Return at most this many open runs, the newest first. Four queries."""
    found = list_rows(list(run_rows().filter(state__in=OPEN).order_by("-pk")[:most]))
    return [UnderWay(row, in_dollars(row.run.budget_micro)) for row in found]
