"""What is done from time to time without anybody asking: overdue exams, reminders, e-mails.

Each app adds its chores when it starts; the background worker's sweep and `manage.py work` do
them. A chore looks for what is due, does it, and says how much that was. Doing it twice, or in two
processes at once, does no harm.
"""

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

CHORES: list[Callable[[], int]] = []


def register(*chores: Callable[[], int]) -> None:
    """Add an app's chores, once each."""
    CHORES.extend(chore for chore in chores if chore not in CHORES)


def run(told: Callable[[str], None] = lambda line: None) -> int:
    """Do every chore; one that fails is logged and never stops the others.

    Args:
        told: gets a line about each chore that found something to do.

    Returns:
        how much was done.
    """
    done = 0
    for chore in CHORES:
        try:
            count = chore()
        except Exception:
            log.exception(
                "The chore %s failed; it is tried again with the next sweep", _name(chore)
            )
            continue
        if count:
            told(f"{_name(chore)} {count}")
        done += count
    return done


def _name(chore: Callable[[], int]) -> str:
    return getattr(chore, "__name__", repr(chore))
