"""Claims on work that survive a crash: a token, and a time until which it counts.

A worker renews its lease while it lives. When the time has passed the next one takes over; on the
same machine the death of a process is seen at once, because the token names it.
"""

import hashlib
import os
import secrets
import socket
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from judge.models import JudgeRun, MachineWork, Takeover

LEASE = timedelta(seconds=60)  # of a run, renewed while it is worked on
WORK_LEASE = timedelta(minutes=20)  # of one probe, draft or answer: their calls are bounded

_PATIENCE = (0, 30, 120, 600, 1800)  # seconds before a failed piece of work is tried again


def new_token() -> str:
    """A name for this process's claim: machine, process, its start, and a random part."""
    return f"{process()}-{secrets.token_hex(6)}"


def process() -> str:
    """This process: machine, number and start."""
    pid = os.getpid()
    return f"{_machine()}-{pid}-{_started(pid)}"


def owner_is_gone(token: str) -> bool:
    """True if the process that made the token ran on this machine and is dead.

    False where that cannot be known (another machine, or no process table): then the time of the
    lease decides.
    """
    parts = token.split("-")
    if len(parts) != 4 or parts[0] != _machine() or not parts[1].isdigit():
        return False
    if not Path("/proc/self").exists():
        return False
    return _started(int(parts[1])) != parts[2]


def is_free(lease: str, until: datetime | None) -> bool:
    """Whether a lease with this token and time may be taken over."""
    return not lease or until is None or until <= timezone.now() or owner_is_gone(lease)


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


def renew_run(pk: int, token: str) -> bool:
    """Prolong the lease while the run is still ours and still to be worked on."""
    return bool(
        JudgeRun.objects.filter(pk=pk, lease=token, state=JudgeRun.State.RUNNING).update(
            lease_until=timezone.now() + LEASE
        )
    )


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


@cache
def _machine() -> str:
    """This machine since its last start, and the process namespace (containers share a kernel)."""
    facts = [socket.gethostname()]
    for path in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            facts.append(os.readlink(path) if "/ns/" in path else Path(path).read_text())
        except OSError:
            continue
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:12]


def _started(pid: int) -> str:
    """Start time of a process in clock ticks, so that a reused number is not mistaken for it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return "0"
    fields = stat.rpartition(")")[2].split()
    return "0" if fields[0] == "Z" else fields[19]
