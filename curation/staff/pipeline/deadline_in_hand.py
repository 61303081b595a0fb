"""Registry of the work that people have in hand: whom it waits for, since when, until when.

The apps above register their sources. Home reads all of it, and the steps that remind people and
move their deadlines read that of the ticked tasks.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from curation.base.web.optional_urls import url_or_empty
from curation.joining.people import User


@dataclass(frozen=True, slots=True)
class InHand:
    """A piece of work that waits for one person. It holds ids, as Home reads all of them.

    Attributes:
        key: names it among all, such as "review-12"; a reminder is sent once a day for each.
        what: its name.
        title: of the task, for the person who has the work.
        page, page_id: the route where the person goes on, and its argument.
        since: since when it waits for them.
        due_at: None if it has no deadline.
        extend: sets another deadline and returns whether it could: not where the work has ended, or
            its deadline is another than `due_at` by now. None if it has no deadline.
    """

    key: str
    what: Any
    task_id: int
    title: str
    person_id: int
    page: str
    page_id: int
    since: datetime
    due_at: datetime | None = None
    extend: Callable[[datetime], bool] | None = None

    @property
    def url(self) -> str:
        """The address where the person goes on."""
        return url_or_empty(self.page, self.page_id)

    def is_late(self, now: datetime) -> bool:
        return self.due_at is not None and self.due_at < now

    @property
    def late(self) -> bool:
        return self.is_late(timezone.now())


# Ids of tasks, or None for all -> the work on them, in a fixed number of queries.
Source = Callable[[Iterable[int] | None], Iterable[InHand]]
_sources: list[Source] = []


def register(*sources: Source) -> None:
    """Register sources. Idempotent."""
    _sources.extend(source for source in sources if source not in _sources)


def in_hand(tasks: Iterable[int] | None = None) -> list[InHand]:
    """Return the work in hand, that with the earliest deadline first.

    Args:
        tasks: ids of the tasks to look at; None for all.
    """
    keys = None if tasks is None else list(tasks)
    found = [row for source in _sources for row in source(keys)]
    return sorted(found, key=lambda row: (row.due_at is None, row.due_at or row.since, row.key))


def in_hand_by_task(tasks: Collection[int]) -> dict[int, list[InHand]]:
    """Return id of each task -> the work in hand on it, in as many queries as of one task."""
    found: dict[int, list[InHand]] = {pk: [] for pk in tasks}
    for row in in_hand(tasks):
        found[row.task_id].append(row)
    return found


def people_with(rows: Iterable[InHand]) -> Mapping[int, User]:
    """Return the people who have the work in hand, by id. One query."""
    return User.objects.in_bulk({row.person_id for row in rows})


def of_tasks(rows: Any, tasks: Iterable[int] | None, field: str = "task") -> Any:
    """Return the rows of a source, narrowed to some tasks if they are given."""
    return rows if tasks is None else rows.filter(**{f"{field}__in": tasks})
