"""Background work that failed and waits for its next attempt, or that is put aside."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from curation.base.web.optional_urls import url_or_empty
from judge.base.queue.ends import end_in_words
from judge.base.queue.leases import FAILED, retry_after
from judge.base.queue.models import MachineWork


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of background work.

    Attributes:
        waiting: the rows whose work is not done.
        page: of what a row is about; "" where that has none.
        about: the column of a row with the number of that page.
        takable: the rows that a worker can take now, where that is not all that waits.
    """

    name: Any
    waiting: Callable[[], QuerySet[Any]]
    page: str = ""
    about: str = "pk"
    takable: Callable[[], QuerySet[Any]] | None = None


_kinds: dict[str, Kind] = {}


def register(kinds: Mapping[str, Kind]) -> None:
    """Register the kinds of work by their keys in `MachineWork`. Idempotent."""
    _kinds.update(kinds)


def name_of(kind: str) -> Any:
    """Return the name of a kind; its key where that is gone."""
    return _kinds[kind].name if kind in _kinds else kind


@dataclass(frozen=True, slots=True)
class Failing:
    """A piece of work that failed.

    Attributes:
        url: the page of what it is about; "" where that has none.
        failures: in a row.
        problem: the last failure; of work that is put aside, how its worker ended.
        next_at: when it is tried again without being asked; None if it is put aside.
    """

    pk: int
    name: Any
    number: int
    url: str
    failures: int
    problem: str
    last: datetime
    next_at: datetime | None


def still_waiting(rows: Iterable[MachineWork]) -> dict[MachineWork, int]:
    """Return the work whose object still waits for it, with the number of the page it is about.

    One query for each kind of work. A claim stays in the table when its object moves on without a
    worker: an order that was cancelled, a task that was withdrawn.
    """
    rows = list(rows)
    objects: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        objects[row.kind].add(row.object_id)
    waiting: dict[tuple[str, int], int] = {}
    for name, pks in objects.items():
        if kind := _kinds.get(name):
            rows_of_kind = kind.waiting().filter(pk__in=pks).values_list("pk", kind.about)
            waiting |= {(name, pk): about for pk, about in rows_of_kind}
    numbers = {row: waiting.get((row.kind, row.object_id)) for row in rows}
    return {row: number for row, number in numbers.items() if number is not None}


def failing_work() -> Iterator[Failing]:
    """Yield the work that is put aside, then that which failed and will be tried again.

    Not what is at work now. The latest failure first. One query, and one for each kind of work.
    """
    rows = MachineWork.objects.filter(FAILED)
    found = still_waiting(rows.order_by("-updated_at", "-pk"))
    for row, number in sorted(found.items(), key=lambda pair: not pair[0].put_aside):
        next_at = row.updated_at + timedelta(seconds=retry_after(row.attempts))
        yield Failing(
            pk=row.pk,
            name=name_of(row.kind),
            number=row.object_id,
            url=url_or_empty(_kinds[row.kind].page, number),
            failures=row.attempts,
            problem=end_in_words(row.put_aside) if row.put_aside else row.problem,
            last=row.updated_at,
            next_at=None if row.put_aside else next_at,
        )
