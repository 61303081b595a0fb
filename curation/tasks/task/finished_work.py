"""Finished judgements of people on each other's tasks, from the records of all apps.

A conflict of interest ends open work; finished work stays, and staff decide what it is worth.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from curation.tasks.task.models import Task


@dataclass(frozen=True)
class FinishedSource:
    """A record of finished judgements.

    Attributes:
        label: its name in the plural, such as "votes".
        rows: selects the rows that are finished.
        task, person: the paths from a row to the task, and to the person who judged.
    """

    label: Any
    rows: Callable[[], QuerySet[Any]]
    task: str
    person: str


@dataclass(frozen=True, slots=True)
class FinishedWork:
    """What one person finished on a task that another wrote.

    Attributes:
        person: the id of who judged.
        parts: (label of the record, number of its rows).
    """

    person: int
    task: Task
    parts: tuple[tuple[str, int], ...]


Pair = tuple[int, int]
_sources: list[FinishedSource] = []


def register(*sources: FinishedSource) -> None:
    """Register records. Idempotent."""
    _sources.extend(source for source in sources if source not in _sources)


def finished_between(pairs: Collection[Pair]) -> dict[Pair, list[FinishedWork]]:
    """Return what each two people finished on tasks that the other of them wrote.

    A task's authors are those of its text and of its rubric. One query a record, and one for the
    tasks.

    Args:
        pairs: pairs of ids of people; the keys of the answer.
    """
    people = {pk for pair in pairs for pk in pair}
    wanted = {frozenset(pair): pair for pair in pairs}
    counts: dict[tuple[Pair, int, int], Counter[str]] = {}
    for source in _sources if pairs else ():
        authors = (f"{source.task}__author", f"{source.task}__rubric_author")
        by_them = Q(**{f"{authors[0]}__in": people}) | Q(**{f"{authors[1]}__in": people})
        rows = (
            source.rows()
            .filter(by_them, **{f"{source.person}__in": people})
            .order_by()
            .values_list(source.task, *authors, source.person)
            .annotate(n=Count("pk"))
        )
        for task, author, rubric_author, person, n in rows:
            for other in {author, rubric_author} - {None, person}:
                pair = wanted.get(frozenset((person, other)))
                if pair is not None:
                    counts.setdefault((pair, person, task), Counter())[str(source.label)] += n
    tasks = Task.objects.only("title", "key", "author", "rubric_author").in_bulk(
        {task for _pair, _person, task in counts}
    )
    found: dict[Pair, list[FinishedWork]] = {}
    for (pair, person, task), parts in sorted(counts.items(), key=lambda item: item[0]):
        work = FinishedWork(person, tasks[task], tuple(sorted(parts.items())))
        found.setdefault(pair, []).append(work)
    return found
