"""Queue a job by its name; `judge.jobs` registers the functions."""

import logging
from typing import Any

from django.conf import settings

log = logging.getLogger(__name__)

# Kinds of machine work, as its rows name them.
PROBE, DRAFT, FURTHER, ANSWER, OPINION = "probe", "draft", "further", "answer", "opinion"
GENERATE = "generate"

_jobs: dict[str, Any] = {}


def register(**jobs: Any) -> None:
    """Name the jobs that can be sent."""
    _jobs.update(jobs)


def send(name: str, *args: Any, **options: Any) -> bool:
    """Queue a job. Returns whether a message went out.

    Without a broker the worker looks in the database by itself, so there is nothing to send. A
    broker that cannot be reached is no error for whoever caused the job: the row waits, and the
    next sweep finds it.
    """
    if not settings.CELERY_BROKER_URL:
        return False
    job = _jobs[name]
    try:
        job.apply_async(args=args, retry=False, **options)
    except Exception:
        log.warning("%s%s could not be queued; the sweep will start it", name, args)
        return False
    return True
