"""The background worker of an installation without a broker: it looks in the database for work.

The row is the truth, so looking is all a message would cause. Every `LOOK_EVERY` seconds the loop
asks what waits and hands it to a few threads. An error ends the one job it happened in, never the
worker: while the database is away the loop goes on asking for it.
"""

import gc
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from django.db import close_old_connections, connection
from django.utils import timezone

from judge import providers
from judge.jobs import jobs

log = logging.getLogger(__name__)

LOOK_EVERY = 0.4  # seconds: what people ask for begins within half a second
PULSE_EVERY = 5.0  # seconds between two heartbeats
CHORES_EVERY = 30.0  # seconds: overdue exams, reminders, e-mails
LOOK_AGAIN_AFTER = 30.0  # seconds until a job that found nothing to do is tried again
TROUBLE_PAUSE = 5.0  # seconds the loop waits after an error of its own, most often the database
STOP_WITHIN = 8.0  # seconds the jobs under way get to end; `make run` kills after ten

Job = tuple[Any, int]
_CHORES = "chores"


def preload_providers() -> None:
    """Import the SDK of each vendor with a key, so that a run's first calls do not wait."""
    for provider in providers.configured():
        provider.preload()


class WorkLoop:
    """Takes waiting work from the database and does it in threads.

    Args:
        threads: how many jobs run at once. A judge run is one job, however many calls it makes.
        every: seconds between two looks at the database.
        told: gets a line about each job that did something.
    """

    def __init__(self, *, threads: int, every: float, told: Callable[[str], None]) -> None:
        self._every = every
        self._told = told
        self._queue: queue.SimpleQueue[Job | str] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._under_way: set[Job | str] = set()
        self._rests_until: dict[Job, float] = {}
        self._idle = threading.Condition(self._lock)
        self._next_pulse = self._next_chores = 0.0
        for number in range(threads):
            # Daemons: a run may take hours, and what it leaves behind is taken up again.
            threading.Thread(target=self._work, name=f"work-{number + 1}", daemon=True).start()

    def run(self, stop: threading.Event) -> None:
        """Work until `stop` is set; then give the jobs under way `STOP_WITHIN` seconds to end."""
        threading.Thread(target=_warm_up, name="preload", daemon=True).start()
        while not stop.is_set():
            try:
                self._look()
            except Exception:
                log.warning("Could not look for work; trying again", exc_info=True)
                connection.close()
                stop.wait(TROUBLE_PAUSE)
            stop.wait(self._every)
        with self._idle:
            self._idle.wait_for(lambda: not self._under_way, timeout=STOP_WITHIN)

    def _look(self) -> None:
        """Send the pulse and hand over everything that waits and does not rest."""
        close_old_connections()
        now = time.monotonic()
        if now >= self._next_pulse:
            jobs.beat()
            self._next_pulse = now + PULSE_EVERY
        if now >= self._next_chores:
            self._hand_over(_CHORES)
            self._next_chores = now + CHORES_EVERY
        waiting = jobs.due()
        with self._lock:
            rests = self._rests_until
            # A job that left the list has moved on: it may start at once when it comes back.
            self._rests_until = {job: rests[job] for job in waiting if rests.get(job, 0) > now}
            ready = [job for job in waiting if job not in self._rests_until]
        for job in ready:
            self._hand_over(job)

    def _hand_over(self, job: Job | str) -> None:
        with self._lock:
            if job in self._under_way:
                return
            self._under_way.add(job)
        self._queue.put(job)

    def _work(self) -> None:
        """One thread: do jobs for ever."""
        while True:
            job = self._queue.get()
            try:
                self._do(job)
            except Exception:
                log.exception("%s broke", job)
                self._rest(job)
            finally:
                close_old_connections()
                with self._idle:
                    self._under_way.discard(job)
                    self._idle.notify_all()

    def _do(self, job: Job | str) -> None:
        if isinstance(job, str):
            jobs.do_chores(self._told)
            return
        function, pk = job
        if function(pk):
            name = function.name.rpartition(".")[2]
            self._told(f"{timezone.now():%H:%M:%S} {name} {pk}")
        else:
            self._rest(job)

    def _rest(self, job: Job | str) -> None:
        if not isinstance(job, str):
            with self._lock:
                self._rests_until[job] = time.monotonic() + LOOK_AGAIN_AFTER


def _warm_up() -> None:
    preload_providers()
    gc.collect()
    gc.freeze()  # code and models live as long as the process: no collection need look at them
