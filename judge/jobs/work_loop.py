"""The background worker of an installation without a broker: it polls the database for work.

Every `LOOK_EVERY` seconds the loop asks the database what waits and hands it to a few threads. An
error ends the one job it happened in, never the worker: while the database is away the loop keeps
trying to connect.
"""

import gc
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from judge.asking import providers
from judge.jobs import jobs

log = logging.getLogger(__name__)

LOOK_EVERY = 0.4  # seconds: work that people ask for starts within half a second
HEARTBEAT_EVERY = 5.0  # seconds between two heartbeats
PERIODIC_JOBS_EVERY = 30.0  # seconds between two rounds of overdue exams, reminders, e-mails
LOOK_AGAIN_AFTER = 30.0  # seconds until a job that found nothing to do is tried again
TROUBLE_PAUSE = 5.0  # seconds the loop waits after an error of its own, usually the database
STOP_WITHIN = 8.0  # seconds that running jobs get to end; `make run` kills after ten

Job = tuple[Any, int]
_PERIODIC_JOBS = "periodic jobs"


def preload_providers() -> None:
    """Import the SDK of each vendor with a key, so that a run's first calls need not wait."""
    try:
        able = providers.configured()
    except DatabaseError:  # it may come up after the worker
        log.warning("Could not read the endpoints; the first calls load what they need")
        return
    for provider in able:
        provider.preload()


class WorkLoop:
    """A poller that takes waiting work from the database and does it in threads.

    Args:
        threads: number of jobs at once. A judge run is one job, however many calls it makes.
        every: seconds between two looks at the database.
        report: gets a line about each job that did something.
    """

    def __init__(self, *, threads: int, every: float, report: Callable[[str], None]) -> None:
        self._every = every
        self._report = report
        self._queue: queue.SimpleQueue[Job | str] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._under_way: set[Job | str] = set()
        self._retry_at: dict[Job, float] = {}  # monotonic time before which a job is not retried
        self._idle = threading.Condition(self._lock)
        self._next_heartbeat = self._next_periodic_jobs = 0.0
        for number in range(threads):
            # Daemon threads: a run may take hours, and a killed one is resumed from the database.
            threading.Thread(target=self._work, name=f"work-{number + 1}", daemon=True).start()

    def run(self, stop: threading.Event) -> None:
        """Work until `stop` is set; then give running jobs `STOP_WITHIN` seconds to end."""
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
        """Send the heartbeat and hand over all waiting work that may be tried now."""
        close_old_connections()
        now = time.monotonic()
        if now >= self._next_heartbeat:
            jobs.beat()
            self._next_heartbeat = now + HEARTBEAT_EVERY
        if now >= self._next_periodic_jobs:
            self._hand_over(_PERIODIC_JOBS)
            self._next_periodic_jobs = now + PERIODIC_JOBS_EVERY
        waiting = jobs.due()
        with self._lock:
            times = self._retry_at
            # Forget a job that waits no more, so that it starts at once when it waits again.
            self._retry_at = {job: times[job] for job in waiting if times.get(job, 0) > now}
            ready = [job for job in waiting if job not in self._retry_at]
        for job in ready:
            self._hand_over(job)

    def _hand_over(self, job: Job | str) -> None:
        with self._lock:
            if job in self._under_way:
                return
            self._under_way.add(job)
        self._queue.put(job)

    def _work(self) -> None:
        """Do jobs for ever; the body of each thread."""
        while True:
            job = self._queue.get()
            try:
                self._do(job)
            except Exception:
                log.exception("%s broke", job)
                self._retry_later(job)
            finally:
                close_old_connections()
                with self._idle:
                    self._under_way.discard(job)
                    self._idle.notify_all()

    def _do(self, job: Job | str) -> None:
        if isinstance(job, str):
            jobs.run_periodic_jobs(self._report)
            return
        function, pk = job
        if function(pk):
            self._report(f"{timezone.now():%H:%M:%S} {jobs.name_of(function)} {pk}")
        else:
            self._retry_later(job)

    def _retry_later(self, job: Job | str) -> None:
        if not isinstance(job, str):
            with self._lock:
                self._retry_at[job] = time.monotonic() + LOOK_AGAIN_AFTER


def _warm_up() -> None:
    preload_providers()
    gc.collect()
    gc.freeze()  # code and models live as long as the process: exempt them from collections
