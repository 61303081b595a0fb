"""A worker's claim on a run: take it, renew it, take it over when its worker has ended."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from judge.base.queue.alive import process_name
from judge.base.queue.leases import LEASE, is_free
from judge.runs.engine.models import JudgeRun, Takeover


def last_sign(run: JudgeRun) -> datetime | None:
    """Return when the worker that ended with this run was last alive; None if none did.

    A run that was never started is only held while it is planned.
    """
    if run.started_at is None or run.lease_until is None:
        return None
    ended = bool(run.lease) and is_free(run.lease, run.lease_until)
    return run.lease_until - LEASE if ended else None


def record_takeover(run: JudgeRun) -> None:
    """Record that another worker goes on with a run whose worker ended, if one did.

    Args:
        run: with its lease as it was before it is claimed or cleared.
    """
    ended = last_sign(run)
    # After a lost connection the same process goes on: nobody took over.
    if ended is not None and not run.lease.startswith(f"{process_name()}-"):
        Takeover.objects.create(run=run, ended_at=ended)


def claim_run(pk: int, token: str, *, states: tuple[str, ...]) -> bool:
    """Take a run for this process by compare-and-swap. Return False if another process has it.

    Claiming a run that this process holds renews the lease. A takeover from a worker that ended is
    recorded together with the claim.
    """
    run = JudgeRun.objects.filter(pk=pk).only("lease", "lease_until", "started_at").first()
    if run is None or (run.lease != token and not is_free(run.lease, run.lease_until)):
        return False
    with transaction.atomic():
        taken = JudgeRun.objects.filter(pk=pk, lease=run.lease, state__in=states).update(
            lease=token, lease_until=timezone.now() + LEASE
        )
        if taken and run.lease != token:
            record_takeover(run)
    return bool(taken)


def renew_run(pk: int, token: str) -> bool:
    """Prolong the lease while the run is still ours and still to be worked on."""
    return bool(
        JudgeRun.objects.filter(pk=pk, lease=token, state=JudgeRun.State.RUNNING).update(
            lease_until=timezone.now() + LEASE
        )
    )
