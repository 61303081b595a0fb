"""Work done alone, in a process of its own, under the claim of the worker that started it.

Two processes: the worker (`do`) waits for the one it started (`main`), which ends with it.
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading

from django.conf import settings
from django.db import close_old_connections

from judge.base.queue import watchdog
from judge.base.queue.exit_statuses import BROKE
from judge.base.queue.models import MachineWork

log = logging.getLogger(__name__)

STOP_WITHIN = 5.0  # seconds to give the work back when the worker ends
STOPPED = frozenset({0, -signal.SIGINT, -signal.SIGTERM})  # statuses of one that was told to end

_handed_over: list[MachineWork] = []


def do(work: MachineWork) -> int:
    """Do claimed work in a process of its own, and wait for it.

    Returns:
        its exit status, negative for a signal. The claim tells whether it did the work: a process
        that did, or failed in an orderly way, has given it back.
    """
    log.warning("%s %s ended a worker; it is tried alone", work.kind, work.object_id)
    command = [sys.executable, "-m", "judge.jobs", work.kind, str(work.object_id), work.lease]
    # Its standard input closes when this process ends, for whatever reason.
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd=settings.BASE_DIR) as process:  # noqa: S603 - our own module; the arguments come from the database
        status = process.wait()
    close_old_connections()  # ours may have been idle for hours
    return status


def hand_over(work: MachineWork) -> None:
    """Have this process work under a claim that another one made."""
    _handed_over.append(work)


def handed_over(kind: str, pk: int) -> MachineWork | None:
    """Return, once, the claim under which this process was started; None if it was not."""
    if _handed_over and (_handed_over[0].kind, _handed_over[0].object_id) == (kind, pk):
        return _handed_over.pop()
    return None


def main(kind: str, pk: int, token: str) -> int:
    """Do one piece of work under a claim of another process; return the exit status."""
    from judge.jobs import jobs  # imports this module

    watchdog.start()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_end_with_worker, name="end with worker", daemon=True).start()
    try:
        work = MachineWork.objects.filter(kind=kind, object_id=pk, lease=token).first()
        if work is None:
            return 0
        hand_over(work)
        jobs.JOBS[kind](pk)
    except KeyboardInterrupt:
        return 0
    except BaseException:
        log.exception("%s %s broke", kind, pk)
        return BROKE
    return 0


def _end_with_worker() -> None:
    with contextlib.suppress(OSError):
        sys.stdin.buffer.read()
    threading.Timer(STOP_WITHIN, os._exit, (BROKE,)).start()
    signal.raise_signal(signal.SIGINT)
