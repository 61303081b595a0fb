"""Jobs that run with every sweep: overdue exams, reminders, e-mails.

Nouns register their jobs; the sweep of the Celery worker and `manage.py work` run
them. A job looks for what is due, does it, and returns how much it did. Running it twice, or in two
processes at once, does no harm.
"""

import logging
from collections.abc import Callable
from enum import IntEnum

log = logging.getLogger(__name__)

JOBS: list[Callable[[], int]] = []


class Phase(IntEnum):
    """When a job runs in a sweep, so that e-mails about what others did are sent by the same."""

    ACT = 1  # what is due is done
    REMIND = 2  # people are reminded of what is still due
    SEND = 3  # e-mails


_phases: dict[Callable[[], int], Phase] = {}


def register(*jobs: Callable[[], int], phase: Phase = Phase.ACT) -> None:
    """Add jobs, in order within their phase. Idempotent."""
    for job in jobs:
        if job not in JOBS:
            _phases[job] = phase
            JOBS.append(job)
    JOBS.sort(key=_phases.__getitem__)


def run(
    report: Callable[[str], None] = lambda line: None, begin: Callable[[], None] = lambda: None
) -> int:
    """Run every job; one that fails is logged and does not stop the others.

    Args:
        report: called with a line about each job that found something to do.
        begin: called before each job.

    Returns:
        the sum of what the jobs returned.
    """
    done = 0
    for job in JOBS:
        begin()
        try:
            count = job()
        except Exception:
            log.exception(
                "The periodic job %s failed; it is tried again with the next sweep", _name(job)
            )
            continue
        if count:
            report(f"{_name(job)} {count}")
        done += count
    return done


def _name(job: Callable[[], int]) -> str:
    return getattr(job, "__name__", repr(job))
