"""Claims on work that survive a crash: a token, and a time until which it counts.

A worker renews its lease while it lives. When the time has passed the next one takes over; on the
same machine the end of a process is seen at once, because the token names it (`alive`).
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from judge.queue.alive import has_ended, process
from judge.queue.models import MachineWork

LEASE = timedelta(seconds=60)  # of a run, renewed while it is worked on
WORK_LEASE = timedelta(minutes=20)  # of one probe, draft or answer: their calls are bounded

_PATIENCE = (0, 30, 120, 600, 1800)  # seconds before a failed piece of work is tried again


def new_token() -> str:
    """A name for a claim of this process."""
    return f"{process()}-{secrets.token_hex(6)}"


def owner_is_gone(token: str) -> bool:
    """True if the process that made the token ran on this machine and has ended."""
    return has_ended(token.rpartition("-")[0])


def is_free(lease: str, until: datetime | None) -> bool:
    """Whether a lease with this token and time may be taken over."""
    return not lease or until is None or until <= timezone.now() or owner_is_gone(lease)


def claim_work(kind: str, object_id: int, token: str) -> MachineWork | None:
    """Take one piece of machine work; None if another worker has it.

    `attempts` counts how often it was taken without being finished.
    """
    MachineWork.objects.bulk_create(
        [MachineWork(kind=kind, object_id=object_id)], ignore_conflicts=True
    )
    work = MachineWork.objects.get(kind=kind, object_id=object_id)
    if not is_free(work.lease, work.lease_until):
        return None
    now = timezone.now()
    taken = MachineWork.objects.filter(
        pk=work.pk, lease=work.lease, attempts=work.attempts, updated_at=work.updated_at
    ).update(
        lease=token,
        lease_until=now + WORK_LEASE,
        attempts=min(work.attempts + 1, 30_000),
        updated_at=now,
    )
    if not taken:
        return None
    work.refresh_from_db()
    return work


def renew_work(work: MachineWork, *, progress: bool = False) -> bool:
    """Prolong the claim on a piece of work; False where another worker has taken it over.

    With `progress` earlier attempts count no more: it gets on, whatever ends this one.
    """
    fields: dict[str, Any] = {"attempts": 0} if progress else {}
    return bool(
        MachineWork.objects.filter(pk=work.pk, lease=work.lease).update(
            lease_until=timezone.now() + WORK_LEASE, **fields
        )
    )


def finish_work(work: MachineWork, *, problem: str = "", done: bool = True) -> None:
    """Give a piece of work back: done, or to be tried again later with the problem on record."""
    fields: dict[str, Any] = {"lease": "", "lease_until": None, "updated_at": timezone.now()}
    fields["problem"] = problem
    if done:
        fields["attempts"] = 0
    MachineWork.objects.filter(pk=work.pk, lease=work.lease).update(**fields)


def resting(kind: str) -> set[int]:
    """Object ids of this kind that are being worked on, or wait for their next attempt."""
    now = timezone.now()
    rows = MachineWork.objects.filter(Q(lease_until__isnull=False) | Q(attempts__gt=0), kind=kind)
    held: set[int] = set()
    for object_id, lease, until, attempts, updated in rows.values_list(
        "object_id", "lease", "lease_until", "attempts", "updated_at"
    ):
        if lease:
            if not is_free(lease, until):
                held.add(object_id)
        elif updated + timedelta(seconds=_PATIENCE[min(attempts, len(_PATIENCE) - 1)]) > now:
            held.add(object_id)
    return held
