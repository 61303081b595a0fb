"""Who writes skills, and who labels tasks."""

from typing import Any

from django.db.models import Q, QuerySet

from curation.base.access.permissions import allows, is_senior_in_its_domain
from curation.base.web.refusals import NotFound
from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.tasks.task.queries import is_not_its_author, kept_off
from curation.tasks.task.text_basis import AMENDABLE


def may_write_skills(domain_id: int) -> "QuerySet[User]":
    """Return who may write a skill of a domain, by name: its experts, and staff who edit."""
    expert = Q(qualifications__domain_id=domain_id, qualifications__active=True)
    return (
        User.objects.filter(expert | Q(is_staff=True, does_editing=True), is_active=True)
        .distinct()
        .order_by("display_name", "pk")
    )


def labels_as_a_senior(user: Any, task: Any) -> bool:
    """Return whether the person is a senior of the domain, without a part or conflict in it.

    A senior reads the prompt only once a panel has kept it: before, it may be the author's alone.
    """
    return (
        is_senior_in_its_domain(user, task)
        and task.stage in AMENDABLE
        and is_not_its_author(user, task)
        and user.pk not in kept_off(task)
    )


def access_labelled(user: Any, pk: int) -> Task:
    """Return a task for somebody who may label it.

    Raises:
        NotFound: no such task, or the person may not label it.
    """
    rows = Task.objects.select_related("domain", "category", "author", "rubric_author")
    task = rows.filter(pk=pk).first()
    if task is None or not allows(user, "task.labels", task):
        raise NotFound()
    return task
