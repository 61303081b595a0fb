"""`celery worker --beat-thread`: the beat scheduler as a thread of the worker.

Celery's own `--beat` forks the worker: the copy keeps a whole Django in memory (about 60 MB) to
send two messages a minute, and goes on sending after its worker was killed.
"""

from typing import Any

from celery import bootsteps
from click import Option

STOP_WITHIN = 3  # seconds; the scheduler's loop checks once a second whether to stop

OPTION = Option(
    ["--beat-thread"],
    is_flag=True,
    default=False,
    help="Also run the beat scheduler, as a thread of this worker. One worker at most.",
)


class BeatThread(bootsteps.StartStopStep):
    """Starts and stops the scheduler with the worker."""

    requires = ("celery.worker.components:Pool",)  # so that the pool forks before the thread starts
    conditional = True

    def __init__(self, worker: Any, beat_thread: bool = False, **options: Any) -> None:
        self.enabled = beat_thread
        super().__init__(worker, **options)

    def create(self, worker: Any) -> Any:
        from celery.beat import (
            EmbeddedService,
        )  # imported late: the web server loads this module too

        return EmbeddedService(
            worker.app,
            thread=True,
            schedule_filename=worker.schedule_filename,
            scheduler_cls=worker.scheduler,
        )

    def close(self, worker: Any) -> None:
        if self.obj:
            self.obj.service.stop()  # stop sending before the rest of the worker stops

    def stop(self, worker: Any) -> None:
        # Do not call the thread's own stop(): after an error in its loop, or while the broker is
        # down, it waits for ever. The thread is a daemon, so it ends with the worker.
        if self.obj:
            self.obj.service.stop()
            self.obj.join(timeout=STOP_WITHIN)

    terminate = stop
