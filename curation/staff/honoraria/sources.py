"""Registry of the records of finished work that may be paid.

The apps above register theirs when they start, in their `paid_work.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from curation.staff.honoraria.models import Work


@dataclass(frozen=True)
class PaidSource:
    """A record of finished work.

    Attributes:
        kind: of work; each kind has one record.
        rows: selects the rows that are finished, each of which is one piece.
        person, finished_at: the paths from a row to who did it, and to when.
        task, domain: the paths to the task ("" without one), and to the domain.
        seconds: the path to the time that the product measured; "" where it measures none.
    """

    kind: Work
    rows: Callable[[], "QuerySet[Any]"]
    person: str
    finished_at: str
    task: str
    domain: str
    seconds: str = ""


_sources: dict[str, PaidSource] = {}


def register(*sources: PaidSource) -> None:
    """Register records. Idempotent.

    Raises:
        ValueError: the kind has another record.
    """
    for source in sources:
        if _sources.setdefault(source.kind, source) is not source:
            raise ValueError(f"the work {source.kind} is registered twice")


def all_sources() -> list[PaidSource]:
    """Return the registered records."""
    return list(_sources.values())


def is_still_finished(kind: str, key: int | None) -> bool:
    """Return whether the record still tells a piece as finished. One query; none by hand."""
    source = _sources.get(kind)
    if key is None:
        return True
    return source is not None and source.rows().filter(pk=key).exists()
