"""Who may read and decide on finished work."""

from typing import Any

from django.db.models import Q, QuerySet

from curation.staff.honoraria.models import Honorarium


def is_not_its_payee(user: Any, thing: Any) -> bool:
    """Return whether an entry is about the work of somebody else."""
    return bool(thing.person_id != user.pk)


def did_not_write_its_task_or_rubric(user: Any, thing: Any) -> bool:
    """Return whether it is not about a task of the person, whose author learns no names."""
    task = thing.task
    return task is None or user.pk not in (task.author_id, task.rubric_author_id)


def readable_by(rows: "QuerySet[Honorarium]", reader: Any) -> "QuerySet[Honorarium]":
    """Return the entries without the work of others on tasks that the reader wrote.

    Who voted on a task, reviewed or scored it stays hidden from its author, staff or not.
    """
    wrote_it = Q(task__author=reader) | Q(task__rubric_author=reader)
    return rows.exclude(wrote_it & ~Q(person=reader))
