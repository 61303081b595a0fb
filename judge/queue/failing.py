"""Background work that failed and waits for its next attempt, or that is put aside."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.web.optional_urls import url_or_empty
from judge.queue import send
from judge.queue.ends import end_in_words
from judge.queue.leases import FAILED, retry_after
from judge.queue.models import MachineWork

NAMES: dict[str, Any] = {
    send.PROBE: _("Probing a task"),
    send.DRAFT: _("Drafting a rubric"),
    send.FURTHER: _("A further draft"),
    send.ANSWER: _("A baseline response"),
    send.OPINION: _("An opinion on lines"),
    send.GENERATE: _("An order of answers"),
    send.LABELS: _("Labels for a task"),
    send.CODES: _("Error codes for a response"),
    send.IMPORT: _("An import"),
    send.RUN: _("A judge run"),
    send.READ: _("Reading a file"),
    send.CALL_OFF: _("Cancelling the batches of a run"),
    send.INDEX: _("An index over versions"),
    send.LINT: _("Marks of rubric lines"),
}
# Kind -> the page of what it is about, and the column of its row with that page's number.
_PAGES = {
    send.PROBE: ("staff-task", "pk"),
    send.DRAFT: ("staff-task", "pk"),
    send.FURTHER: ("staff-task", "task"),
    send.ANSWER: ("staff-task", "task"),
    send.OPINION: ("staff-task", "task"),
    send.GENERATE: ("staff-generation", "pk"),
    send.LABELS: ("staff-task", "task"),
    send.CODES: ("staff-response", "response"),
    send.IMPORT: ("staff-import", "pk"),
    send.RUN: ("staff-run", "pk"),
    send.CALL_OFF: ("staff-run", "pk"),
    send.READ: ("attachment-view", "pk"),
    send.INDEX: ("", "pk"),
    send.LINT: ("staff-task", "version__task"),
}

_waiting: dict[str, Callable[[], QuerySet[Any]]] = {}


def register(rows: Mapping[str, Callable[[], QuerySet[Any]]]) -> None:
    """Register, for each kind of work, the objects whose work is not done. Idempotent."""
    _waiting.update(rows)


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
    waiting = {
        (kind, pk): about
        for kind, pks in objects.items()
        if kind in _waiting
        for pk, about in _waiting[kind]().filter(pk__in=pks).values_list("pk", _PAGES[kind][1])
    }
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
            name=NAMES[row.kind],
            number=row.object_id,
            url=url_or_empty(_PAGES[row.kind][0], number),
            failures=row.attempts,
            problem=end_in_words(row.put_aside) if row.put_aside else row.problem,
            last=row.updated_at,
            next_at=None if row.put_aside else next_at,
        )
