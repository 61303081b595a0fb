"""The claim on a row of machine work while a job is on it.

Work whose worker ended may be what ended it. It is done once more alone, in a process of its own
(`judge.jobs.alone`); if that ends too, the work is put aside, and the worker goes on.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, models, transaction
from django.db.models import QuerySet

from curation.base.process.states import move
from curation.base.web.refusals import Conflict
from curation.tasks.attachments.models import Attachment
from curation.tasks.file_views.read_files import give_up_reading
from judge.asking.calls import model_client, record
from judge.asking.providers.base import ProviderError
from judge.base.queue import ends, exit_statuses, leases, watchdog
from judge.base.queue.models import MachineWork
from judge.base.queue.send import READ, RUN
from judge.jobs import alone
from judge.runs.engine import pause_reasons
from judge.runs.engine.models import JudgeRun

log = logging.getLogger(__name__)

# Seconds before each retry after a lost database connection; after the last the sweep takes over.
RECONNECT = (0.0, 0.0, 0.2, 1.0, 5.0)

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True)
class Claim(Generic[Row]):
    """A claim that this process holds, and the row it is on."""

    work: MachineWork
    row: Row
    watched: watchdog.Watched

    def renew(self, *, progress: bool = False) -> bool:
        """Show that the work goes on; False if another worker has taken it over.

        Args:
            progress: whether it came further, so that an end of its worker is no sign against it.
        """
        self.watched.sign_of_life()
        return leases.renew_work(self.work, progress=progress)


@contextmanager
def claimed(
    kind: str,
    waiting: QuerySet[Row],
    pk: int,
    claim: Callable[[str, int, str], MachineWork | None] = leases.claim_work,
) -> Iterator[Claim[Row] | None]:
    """Hold the claim on one row while it is worked on, and give it with the row.

    Yields None if another worker holds the claim, the row waits no more, or the work was done or
    put aside here, because it had ended a worker. An error is recorded on the claim and not raised
    again: the next attempt follows after a delay.

    Args:
        claim: as `leases.claim_work`, for a kind on whose rows not all claims may be held at once.
    """
    work = alone.handed_over(kind, pk)
    if work is None:
        work = claim(kind, pk, leases.new_token())
        if work is not None and work.workers_ended:
            _do_alone(work)
            work = None
    if work is None:
        yield None
        return
    silence = leases.WORK_LEASE.total_seconds() + settings.MODEL_TIMEOUT  # one call says nothing
    try:
        row = waiting.filter(pk=pk).first()
        with watchdog.watched(f"{kind} {pk}", most_seconds=silence) as watched:
            yield None if row is None else Claim(work, row, watched)
    except Conflict:
        _give_back(work)  # somebody else moved the row on: nothing is left to do
    except Exception as problem:
        if not isinstance(problem, ProviderError | model_client.UnusableReplyError):
            log.exception("%s %s broke", kind, pk)
        _give_back(work, problem=record.reason_of(problem), done=False)
    except BaseException:
        _give_back(work, problem="interrupted", done=False, interrupted=True)
        raise
    else:
        _give_back(work)


def _do_alone(work: MachineWork) -> None:
    """Do work that has ended a worker in a process of its own; put it aside if that ends too."""
    if work.workers_ended >= leases.MOST_ENDED:
        _put_aside(work, ends.SEVERAL)
        return
    status = alone.do(work)
    if not MachineWork.objects.filter(pk=work.pk, lease=work.lease).exists():
        return
    if status in alone.STOPPED:
        _give_back(work, problem="interrupted", done=False, interrupted=True)
    elif status == exit_statuses.BROKE:  # the database is away, say: no fault of the work
        _give_back(work, problem="it broke; the log says why", done=False, interrupted=True)
    else:
        _put_aside(work, ends.end_of(status))


@transaction.atomic
def _put_aside(work: MachineWork, how: str) -> None:
    if not leases.put_aside(work, how):
        return
    log.error("%s %s is put aside: it ended its worker again (%s)", work.kind, work.object_id, how)
    if work.kind == RUN:
        move(
            JudgeRun.objects.filter(pk=work.object_id),
            JudgeRun.State.PAUSED,
            reason=pause_reasons.ENDED_ITS_WORKERS,
            facts={},
            lease="",
            lease_until=None,
        )
    elif work.kind == READ:
        for row in Attachment.objects.filter(pk=work.object_id):
            give_up_reading(row)


def _give_back(
    work: MachineWork, *, problem: str = "", done: bool = True, interrupted: bool = False
) -> None:
    """End a claim, reconnecting if the database connection broke.

    This process lives on, so the claim would otherwise hold until its lease expires.
    """
    for delay in RECONNECT:
        try:
            leases.finish_work(work, problem=problem, done=done, interrupted=interrupted)
            return
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or delay == RECONNECT[-1]:
                raise
            connection.close()
            time.sleep(delay)
