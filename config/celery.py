"""The Celery application. The database row is the truth; a message only says "look now"."""

import os
import threading
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from config import clock, memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["judge"], related_name="jobs")
app.user_options["worker"].add(clock.OPTION)
app.steps["worker"].add(clock.BeatThread)


@worker_ready.connect
def preload(**more: Any) -> None:
    """Import the SDK of each vendor with a key: half a second that a run's first calls would wait.

    In a thread, so that the worker takes other work meanwhile.
    """
    from judge import providers

    def load() -> None:
        for provider in providers.configured():
            provider.preload()
        memory.settle()

    threading.Thread(target=load, name="preload", daemon=True).start()


@worker_ready.connect
def look_around(**more: Any) -> None:
    """A worker that was killed left its work behind: look for it now, not at the next sweep."""
    from judge import jobs

    jobs.send(jobs.sweep)
