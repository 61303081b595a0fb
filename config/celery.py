"""The Celery application. The database row is the truth; a message is only a hint."""

import logging
import os
import threading
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, worker_process_init, worker_ready
from django.conf import settings

from config import beat_thread, gc_tuning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["judge.jobs"], related_name="jobs")
app.user_options["worker"].add(beat_thread.OPTION)
app.steps["worker"].add(beat_thread.BeatThread)

log = logging.getLogger(__name__)


@celeryd_init.connect
def require_broker(**more: Any) -> None:
    """Refuse to start a Celery worker without a broker."""
    if not settings.CELERY_BROKER_URL:
        raise SystemExit(
            "CELERY_BROKER_URL is not set, so there is no broker to listen to. Set it, or start "
            "the worker that needs none: manage.py work --loop"
        )


@worker_ready.connect
def preload(**more: Any) -> None:
    """Load what the first jobs need in a thread, so that the worker accepts work meanwhile."""
    from judge.jobs.work_loop import preload_providers

    def load() -> None:
        preload_providers()
        gc_tuning.freeze_startup_objects()

    threading.Thread(target=load, name="preload", daemon=True).start()


@worker_ready.connect
@worker_process_init.connect
def watch_the_work(**more: Any) -> None:
    """End this process, or that of a pool, if a job freezes it."""
    from judge.base.queue import watchdog

    watchdog.start()


@worker_ready.connect
def start_heartbeat(**more: Any) -> None:
    """Store the heartbeat from a thread: as a job it would wait behind long jobs."""
    from django.db import connection

    from judge.jobs import jobs
    from judge.jobs.work_loop import HEARTBEAT_EVERY

    def beat_forever() -> None:
        while True:
            try:
                jobs.beat()
            except Exception:
                log.warning("The heartbeat could not be stored", exc_info=True)
            connection.close()
            pause.wait(HEARTBEAT_EVERY)

    pause = threading.Event()
    threading.Thread(target=beat_forever, name="heartbeat", daemon=True).start()


@worker_ready.connect
def requeue_waiting_work(**more: Any) -> None:
    """Requeue work left by a killed worker at once instead of at the next sweep."""
    from judge.base.queue.send import send

    send("sweep")
