"""Work on a judge run under the claim of a worker."""

import logging
import time
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection

from curation.base.process.states import move
from judge.asking.calls import record
from judge.jobs.claims import RECONNECT, Claim
from judge.runs.engine import pause_reasons
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.work import WORKABLE, work_on_run

log = logging.getLogger(__name__)


def work_on_claimed(claim: Claim[JudgeRun], beat: Callable[[], None]) -> bool:
    """Work on a claimed run, again after a lost connection; pause it if it breaks.

    Args:
        beat: records that this worker is alive.
    """
    pk, done = claim.row.pk, 0

    def note(completed: int, total: int) -> None:
        nonlocal done
        done = completed

    seen = 0

    def heartbeat() -> None:
        nonlocal seen
        beat()
        claim.renew(progress=done > seen)
        seen = done

    for delay in RECONNECT:
        try:
            run = JudgeRun.objects.filter(pk=pk, state__in=WORKABLE).first()
            if run is None:
                return False
            # A run that waits for a batch stays workable: the next sweep queues it again.
            worked = work_on_run(run, heartbeat=heartbeat, on_progress=note)
            return worked and run.state not in WORKABLE
        except (OperationalError, InterfaceError):
            # The session has released the run where it could; open calls are made again.
            log.warning("The database failed run %s; trying again", pk, exc_info=True)
            connection.close()
            time.sleep(delay)
        except Exception as problem:
            log.exception("Run %s broke", pk)
            move(
                JudgeRun.objects.filter(pk=pk, state=JudgeRun.State.RUNNING),
                JudgeRun.State.PAUSED,
                reason=pause_reasons.BROKE,
                facts={"problem": record.reason_of(problem)},
            )
            break
    return False
