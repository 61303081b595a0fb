"""Queues jobs by name; `judge.jobs` registers their functions."""

import logging
from typing import Any

from django.conf import settings

log = logging.getLogger(__name__)

# Kinds of machine work (`MachineWork.kind`).
PROBE, DRAFT, FURTHER, ANSWER, OPINION = "probe", "draft", "further", "answer", "opinion"
GENERATE, LABELS, CODES, IMPORT = "generate", "labels", "codes", "import"
RUN, CALL_OFF, READ, INDEX, LINT = "run", "call_off", "read", "index", "lint"

_jobs: dict[str, Any] = {}


def register(**jobs: Any) -> None:
    """Register the jobs that can be sent, by name."""
    _jobs.update(jobs)


def send(name: str, *args: Any, **options: Any) -> bool:
    """Queue a job; return whether a message was sent.

    Sends nothing without a broker, because the worker then looks in the database by itself. An
    unreachable broker raises no error: the row waits, and the next sweep finds it.
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
