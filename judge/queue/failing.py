"""Background work that failed and waits for its next attempt."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.web.optional_urls import url_or_empty
from judge.queue import send
from judge.queue.leases import retry_after
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
}
_PAGES = {
    send.PROBE: "staff-task",
    send.DRAFT: "staff-task",
    send.GENERATE: "staff-generation",
    send.IMPORT: "staff-import",
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
        next_at: when it is tried again without being asked.
    """

    pk: int
    name: Any
    number: int
    url: str
    failures: int
    problem: str
    last: datetime
    next_at: datetime


def still_waiting(rows: Iterable[MachineWork]) -> list[MachineWork]:
    """Return the work whose object still waits for it; one query for each kind of work.

    A claim stays in the table when its object moves on without a worker: an order that was
    cancelled, a task that was withdrawn.
    """
    rows = list(rows)
    objects: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        objects[row.kind].add(row.object_id)
    waiting = {
        (kind, pk)
        for kind, pks in objects.items()
        if kind in _waiting
        for pk in _waiting[kind]().filter(pk__in=pks).values_list("pk", flat=True)
    }
    return [row for row in rows if (row.kind, row.object_id) in waiting]


def failing_work() -> Iterator[Failing]:
    """Yield the work that failed, is not at work now and will be tried again.

    The latest failure first. One query, and one for each kind of work that failed.
    """
    rows = MachineWork.objects.filter(lease="", attempts__gt=0).order_by("-updated_at", "-pk")
    for row in still_waiting(rows):
        page = _PAGES.get(row.kind, "")
        yield Failing(
            pk=row.pk,
            name=NAMES.get(row.kind, row.kind),
            number=row.object_id,
            url=url_or_empty(page, row.object_id) if page else "",
            failures=row.attempts,
            problem=row.problem,
            last=row.updated_at,
            next_at=row.updated_at + timedelta(seconds=retry_after(row.attempts)),
        )
