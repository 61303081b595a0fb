"""The claim of a worker on a run: taken, renewed, and taken over when its worker ended."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from judge.engine.models import JudgeRun, Takeover
from judge.queue.alive import process
from judge.queue.leases import LEASE, is_free


def last_sign(run: JudgeRun) -> datetime | None:
    """When the worker that ended with this run in hand was last alive; None where none did.

    A run nobody has started is only held for whoever plans it.
    """
    if run.started_at is None or run.lease_until is None:
        return None
    ended = bool(run.lease) and is_free(run.lease, run.lease_until)
    return run.lease_until - LEASE if ended else None


def record_takeover(run: JudgeRun) -> None:
    """Record that somebody goes on with a run whose worker ended, where one did.

    Args:
        run: with its lease as it was before it was taken or cleared.
    """
    ended = last_sign(run)
    # After a lost connection a process goes on by itself: nobody took over.
    if ended is not None and not run.lease.startswith(f"{process()}-"):
        Takeover.objects.create(run=run, ended_at=ended)


def claim_run(pk: int, token: str, *, states: tuple[str, ...]) -> bool:
    """Take a run for this process, by compare-and-swap; False if another one has it.

    Claiming a run one already holds renews the lease. Taking it from a worker that ended is
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
