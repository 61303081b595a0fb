"""Leases on work: a token and the time until which it is valid.

A worker renews its lease while it runs. After that time another worker may take over; on the same
machine it may do so as soon as the process has ended, because the token names it (see `alive`).
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, F, Q, When
from django.utils import timezone

from judge.base.queue.alive import has_ended, process_name
from judge.base.queue.models import MachineWork
from judge.base.queue.send import RUN

LEASE = timedelta(seconds=60)  # of a run, renewed while it is worked on
WORK_LEASE = timedelta(minutes=20)  # of a probe, draft or answer, whose number of calls is bounded
MOST_ENDED = 3  # workers that end with a piece of work, wherever it was done, until it is put aside

# What failed and is not being tried now, or is put aside.
FAILED = Q(lease="") & (Q(attempts__gt=0) | ~Q(put_aside=""))
MOST_FAILED = 3  # attempts in a row without an end, until a page says that it waits in vain
_RETRY_AFTER = (0, 30, 120, 600, 1800)  # seconds to wait, by the number of failed attempts


def retry_after(attempts: int) -> int:
    """Return the seconds to wait after so many failed attempts in a row."""
    return _RETRY_AFTER[min(attempts, len(_RETRY_AFTER) - 1)]


def new_token() -> str:
    """Return a new token for a lease of this process."""
    return f"{process_name()}-{secrets.token_hex(6)}"


def owner_is_gone(token: str) -> bool:
    """Return whether the process that made the token ran on this machine and has ended."""
    return has_ended(token.rpartition("-")[0])


def is_free(lease: str, until: datetime | None) -> bool:
    """Return whether a lease with this token and time may be taken over."""
    return not lease or until is None or until <= timezone.now() or owner_is_gone(lease)


def claim_work(kind: str, object_id: int, token: str) -> MachineWork | None:
    """Claim a piece of machine work; None if another worker has it or it is put aside.

    `attempts` counts the claims since the work was last finished, `workers_ended` those that were
    never given back.
    """
    MachineWork.objects.bulk_create(
        [MachineWork(kind=kind, object_id=object_id)], ignore_conflicts=True
    )
    work = MachineWork.objects.get(kind=kind, object_id=object_id)
    if work.put_aside or not is_free(work.lease, work.lease_until):
        return None
    now = timezone.now()
    taken = MachineWork.objects.filter(
        pk=work.pk,
        lease=work.lease,
        attempts=work.attempts,
        put_aside="",
        updated_at=work.updated_at,
    ).update(
        lease=token,
        lease_until=now + _lease_of(kind),
        attempts=min(work.attempts + 1, 30_000),
        workers_ended=work.workers_ended + bool(work.lease),
        updated_at=now,
    )
    if not taken:
        return None
    work.refresh_from_db()
    return work


def _lease_of(kind: str) -> timedelta:
    """Return for how long a claim on work of this kind holds; that on a run, as the run's own."""
    return LEASE if kind == RUN else WORK_LEASE


def renew_work(work: MachineWork, *, progress: bool = False) -> bool:
    """Renew the lease on a piece of work; False if another worker has taken it over.

    Args:
        progress: whether the work made progress, which resets the count of attempts and of ended
            workers.
    """
    fields: dict[str, Any] = {"attempts": 0, "workers_ended": 0} if progress else {}
    return bool(
        MachineWork.objects.filter(pk=work.pk, lease=work.lease).update(
            lease_until=timezone.now() + _lease_of(work.kind), **fields
        )
    )


def finish_work(
    work: MachineWork, *, problem: str = "", done: bool = True, interrupted: bool = False
) -> None:
    """Release a piece of work.

    Args:
        problem: the last failure, for staff; "" without one.
        done: whether it is finished; else it is tried again later.
        interrupted: whether its worker was stopped, which says nothing about the work.
    """
    fields: dict[str, Any] = {"lease": "", "lease_until": None, "updated_at": timezone.now()}
    fields["problem"] = problem
    if not interrupted:
        fields["workers_ended"] = 0
    if done:
        fields["attempts"] = 0
    MachineWork.objects.filter(pk=work.pk, lease=work.lease).update(**fields)


def put_aside(work: MachineWork, how: str) -> bool:
    """Put work aside that its worker did not survive; False if another worker has it by now.

    Args:
        how: how the worker ended, as `judge.base.queue.ends` names it.
    """
    return bool(
        MachineWork.objects.filter(pk=work.pk, lease=work.lease).update(
            lease="", lease_until=None, put_aside=how, updated_at=timezone.now()
        )
    )


def take_up_again(kind: str, object_id: int) -> bool:
    """Let work that was put aside be tried once more, alone; False if it is not put aside."""
    return bool(
        MachineWork.objects.filter(kind=kind, object_id=object_id)
        .exclude(put_aside="")
        .update(put_aside="", attempts=0, workers_ended=1, updated_at=timezone.now())
    )


def begin_anew(kind: str, object_id: int) -> None:
    """Forget that work failed: its object is another one now; what was put aside is tried alone."""
    ended = Case(When(put_aside="", then=F("workers_ended")), default=1)
    rows = MachineWork.objects.filter(FAILED, kind=kind, object_id=object_id)
    rows.update(workers_ended=ended, put_aside="", attempts=0, updated_at=timezone.now())


def has_failed(kind: str, object_id: int) -> bool:
    """Return whether no page should wait for work: it is put aside, or failed again and again.

    What a restart interrupted, or failed once or twice, is tried again within minutes.
    """
    often = ~Q(put_aside="") | Q(attempts__gte=MOST_FAILED)
    return MachineWork.objects.filter(FAILED, often, kind=kind, object_id=object_id).exists()


def unavailable(kind: str) -> set[int]:
    """Return the ids of objects of this kind that are not to be claimed now.

    Those that are worked on, wait for their next attempt, or are put aside.
    """
    now = timezone.now()
    rows = MachineWork.objects.filter(
        Q(lease_until__isnull=False) | Q(attempts__gt=0) | ~Q(put_aside=""), kind=kind
    )
    held: set[int] = set()
    for object_id, lease, until, attempts, updated, aside in rows.values_list(
        "object_id", "lease", "lease_until", "attempts", "updated_at", "put_aside"
    ):
        if aside:
            held.add(object_id)
        elif lease:
            if not is_free(lease, until):
                held.add(object_id)
        elif updated + timedelta(seconds=retry_after(attempts)) > now:
            held.add(object_id)
    return held
