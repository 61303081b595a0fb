"""Ends a process of workers that a piece of work has frozen, so that another one goes on.

Work freezes a process in two ways. It may keep the interpreter to itself (a regular expression, a
call into C): then no thread of Python runs, and a thread of `faulthandler`, which needs no
interpreter, ends the process. Or it computes in one thread without an end: that shows in
the processor time of the thread, which other load does not advance. A thread cannot be stopped, so
the process is ended.

The work is found by its claim, which nobody gave back. The log says where each thread was.
"""

import faulthandler
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings

from judge.base.queue import exit_statuses

log = logging.getLogger(__name__)

LOOK_EVERY = 5.0  # seconds, at most
_STDERR = 2  # the descriptor: Celery replaces `sys.stderr`


@dataclass
class Watched:
    """A piece of work in a thread of this process.

    Attributes:
        thread: its identifier.
        clock: of the processor time of its thread; None where the system has none.
        computed_from: that clock at the last sign of life, in seconds.
        until: monotonic time until which a sign of life is due.
    """

    label: str
    thread: int
    clock: int | None
    most_seconds: float
    computed_from: float = 0.0
    until: float = 0.0

    def sign_of_life(self) -> None:
        """Note that the work goes on; from any thread."""
        self.computed_from = self._computed()
        self.until = time.monotonic() + self.most_seconds

    def is_frozen(self) -> bool:
        """Return whether it computed, or was silent, for too long."""
        computed = self._computed() - self.computed_from
        return computed > settings.WORKER_FROZEN_AFTER or time.monotonic() > self.until

    def _computed(self) -> float:
        return 0.0 if self.clock is None else time.clock_gettime(self.clock)


_watched: dict[int, Watched] = {}
_lock = threading.Lock()


@contextmanager
def watched(label: str, *, most_seconds: float = float("inf")) -> Iterator[Watched]:
    """Watch the work that this thread does in the block.

    Args:
        most_seconds: how long it may be silent, waiting included.
    """
    thread = threading.get_ident()
    has_clock = hasattr(time, "pthread_getcpuclockid")
    clock = time.pthread_getcpuclockid(thread) if has_clock else None
    work = Watched(label, thread, clock, most_seconds)
    work.sign_of_life()
    with _lock:
        _watched[id(work)] = work
    try:
        yield work
    finally:
        with _lock:
            del _watched[id(work)]


def sign_of_life() -> None:
    """Note that the work which this thread does goes on, if it is watched."""
    thread = threading.get_ident()
    with _lock:
        for work in _watched.values():
            if work.thread == thread:
                work.sign_of_life()


def start() -> None:
    """Watch this process from now on. Only for processes that do nothing but background work."""
    threading.Thread(target=_watch, name="watchdog", daemon=True).start()


def _watch() -> None:
    limit = float(settings.WORKER_FROZEN_AFTER)
    pause = threading.Event()
    while True:
        # Set anew each time: it ends the process only if this thread cannot run for so long.
        faulthandler.dump_traceback_later(limit, exit=True, file=_STDERR)
        with _lock:  # a clock holds while its thread is in the block
            frozen = [work.label for work in _watched.values() if work.is_frozen()]
        if frozen:
            log.critical("Ending this process: %s gave no sign of life.", ", ".join(frozen))
            faulthandler.dump_traceback(file=_STDERR, all_threads=True)
            os._exit(exit_statuses.FROZEN)
        pause.wait(min(LOOK_EVERY, limit / 4))
