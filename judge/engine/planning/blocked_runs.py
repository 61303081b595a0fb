"""Whose answers a run waits for: responses that another run of the same configuration is judging.

An item that is left to another run is linked to that run's judgment, so its answer ends both. What
a run waits for is read from these links and never stored: it changes when the other run is steered.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.text.wording import gap
from curation.web.dates import day
from judge.engine.batches.models import BatchLine
from judge.engine.models import JudgeRun, Judgment, RunItem

State = JudgeRun.State
# Nobody works on such a run, so nobody collects what its batches were answered.
RESTING = (State.PAUSED, State.STOPPED, State.CANCELLED, State.FINISHED)

_LEFT = Q(judgment__state=Judgment.State.WAITING)  # an item left to another run, or our own
_IN_BATCH = Q(judgment__batch_lines__state=BatchLine.State.WAITING)
_HELD = _LEFT & _IN_BATCH & Q(judgment__run__state__in=RESTING)


@dataclass(frozen=True, slots=True)
class Wait:
    """Responses of one run that another one (`run`, in `state`) is to answer, and since when."""

    run: int
    state: str
    responses: int
    since: datetime | None
    in_batch: bool

    @property
    def resting(self) -> bool:
        """Whether no answer comes that way until staff do something."""
        return self.state in RESTING

    @property
    def words(self) -> str:
        """What is waited for and what can be done about it, as whole sentences."""
        return gap().join((self._what(), self._next()))

    def _what(self) -> str:
        facts: dict[str, Any] = {"n": self.responses, "run": self.run}
        facts["since"] = day(self.since, with_clock=True) if self.since else "–"
        if self.in_batch:
            words = ngettext(
                "%(n)s response waits for run %(run)s, which sent the same question in a batch "
                "on %(since)s.",
                "%(n)s responses wait for run %(run)s, which sent the same questions in a batch "
                "on %(since)s.",
                self.responses,
            )
        else:
            words = ngettext(
                "%(n)s response waits for run %(run)s, which has been asking the same question "
                "since %(since)s.",
                "%(n)s responses wait for run %(run)s, which has been asking the same questions "
                "since %(since)s.",
                self.responses,
            )
        return words % facts

    def _next(self) -> str:
        if self.state == State.CANCELLED:
            return _(
                "That run was cancelled, and its batch is being called off; then this run asks by "
                "itself."
            )
        if self.resting:
            return _(
                "That run rests, so nobody collects its answers: resume it, or cancel it and this "
                "run asks by itself."
            )
        if self.in_batch:
            return _("The answers come within a day and count here too, at no further cost.")
        return _("Its answers count here too, at no further cost.")


def waits_of(run: JudgeRun) -> list[Wait]:
    """What a run leaves to others, the oldest run first. One query."""
    rows = (
        RunItem.objects.filter(_LEFT, run=run, state=RunItem.State.WAITING)
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
        Wait(run=pk, state=state, responses=n, since=sent or started, in_batch=sent is not None)
        for pk, state, started, n, sent in rows
    ]


def forlorn(runs: Iterable[int]) -> set[int]:
    """Those of these runs of which all that is left waits in batches nobody collects. One query.

    Working on such a run does nothing until somebody resumes or cancels the other one.
    """
    counts = (
        RunItem.objects.filter(run__in=list(runs), state=RunItem.State.WAITING)
        .order_by()
        .values_list("run")
        .annotate(left=Count("id", distinct=True), held=Count("id", distinct=True, filter=_HELD))
    )
    return {run for run, left, held in counts if left == held}
