"""Runs that wait for the answers of another run of the same configuration.

An item that is left to another run is linked to that run's judgment, so its answer ends both. What
a run waits for is read from these links and never stored, because pausing, resuming or cancelling
the other run changes it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import gap
from curation.base.web.dates import day
from judge.runs.engine.batches.models import BatchLine
from judge.runs.engine.models import JudgeRun, Judgment, RunItem

State = JudgeRun.State
# Nobody works on a run in these states, so nobody collects the results of its batches.
INACTIVE = (State.PAUSED, State.STOPPED, State.CANCELLED, State.FINISHED)

_LEFT_TO_ANOTHER = Q(
    judgment__state=Judgment.State.WAITING
)  # an item left to another run, or our own
_IN_BATCH = Q(judgment__batch_lines__state=BatchLine.State.WAITING)
_STUCK = _LEFT_TO_ANOTHER & _IN_BATCH & Q(judgment__run__state__in=INACTIVE)


@dataclass(frozen=True, slots=True)
class BlockingRun:
    """A run (`run`, in `state`) whose answers another one waits for: how many, and since when."""

    run: int
    state: str
    responses: int
    since: datetime | None
    in_batch: bool

    @property
    def inactive(self) -> bool:
        """Whether no answer will come until staff act."""
        return self.state in INACTIVE

    @property
    def explanation(self) -> str:
        """What the run waits for and what can be done about it, as whole sentences."""
        return gap().join((self._what(), self._next()))

    def _what(self) -> str:
        facts: dict[str, Any] = {"n": self.responses, "run": self.run}
        facts["since"] = day(self.since, with_clock=True) if self.since else "–"
        if self.in_batch:
            words = ngettext(
                "%(n)s response is waiting for run %(run)s, which sent the same question in a "
                "batch on %(since)s.",
                "%(n)s responses are waiting for run %(run)s, which sent the same questions in "
                "a batch on %(since)s.",
                self.responses,
            )
        else:
            words = ngettext(
                "%(n)s response is waiting for run %(run)s, which has been asking the same "
                "question since %(since)s.",
                "%(n)s responses are waiting for run %(run)s, which has been asking the same "
                "questions since %(since)s.",
                self.responses,
            )
        return words % facts

    def _next(self) -> str:
        if self.state == State.CANCELLED:
            return _(
                "That run was cancelled, and its batch is being called off; then this run asks by "
                "itself."
            )
        if self.inactive:
            return _(
                "That run is no longer active, so nobody collects its answers: resume it, or "
                "cancel it and this run asks by itself."
            )
        if self.in_batch:
            return _("The answers come within a day and count here too, at no further cost.")
        return _("Its answers count here too, at no further cost.")


def blocking_runs(run: JudgeRun) -> list[BlockingRun]:
    """Return the runs whose answers a run waits for, the oldest first. One query."""
    rows = (
        RunItem.objects.filter(_LEFT_TO_ANOTHER, run=run, state=RunItem.State.WAITING)
        .filter(Q(judgment__run__state__in=(State.WAITING, State.RUNNING)) | _IN_BATCH)
        .exclude(judgment__run=run)
        .order_by()
        .values_list("judgment__run", "judgment__run__state", "judgment__run__started_at")
        .annotate(
            n=Count("id", distinct=True),
            sent=Min("judgment__batch_lines__batch__created_at", filter=_IN_BATCH),
        )
        .order_by("judgment__run")
    )
    return [
        BlockingRun(
            run=pk, state=state, responses=n, since=sent or started, in_batch=sent is not None
        )
        for pk, state, started, n, sent in rows
    ]


def blocked_until_staff_act(runs: Iterable[int]) -> set[int]:
    """Return those of these runs that wait only for batches nobody collects. One query.

    Working on such a run does nothing until staff resume or cancel the other one.
    """
    counts = (
        RunItem.objects.filter(run__in=list(runs), state=RunItem.State.WAITING)
        .order_by()
        .values_list("run")
        .annotate(left=Count("id", distinct=True), held=Count("id", distinct=True, filter=_STUCK))
    )
    return {run for run, left, held in counts if left == held}
