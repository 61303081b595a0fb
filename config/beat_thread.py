"""`celery worker --beat-thread`: the scheduler as a thread of the worker.

Celery's own `--beat` forks the worker, and the copy keeps a whole Django in memory (some 60 MB) to
send two messages a minute. It also outlives a worker that is killed, and goes on sending.
"""

from typing import Any

from celery import bootsteps
from click import Option

STOP_WITHIN = 3  # seconds; its loop looks once a second whether it is to end

OPTION = Option(
    ["--beat-thread"],
    is_flag=True,
    default=False,
    help="Also run the beat scheduler, as a thread of this worker. One worker at most.",
)


class BeatThread(bootsteps.StartStopStep):
    """Starts and stops the scheduler with the worker."""

    requires = ("celery.worker.components:Pool",)  # its processes, if any, are forked before
    conditional = True

    def __init__(self, worker: Any, beat_thread: bool = False, **options: Any) -> None:
        self.enabled = beat_thread
        super().__init__(worker, **options)

    def create(self, worker: Any) -> Any:
        from celery.beat import EmbeddedService  # this file is read in the web server too

        return EmbeddedService(
            worker.app,
            thread=True,
            schedule_filename=worker.schedule_filename,
            scheduler_cls=worker.scheduler,
        )

    def close(self, worker: Any) -> None:
        if self.obj:
            self.obj.service.stop()  # before the rest of the worker stops, so that it sends no more

    def stop(self, worker: Any) -> None:
        # Not the thread's own stop: that waits for ever where an error ended the loop, or where it
        # waits for a broker that is gone. The thread is a daemon, so it ends with the worker.
        if self.obj:
            self.obj.service.stop()
            self.obj.join(timeout=STOP_WITHIN)

    terminate = stop
