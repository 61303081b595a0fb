"""Who works on collected tasks before they enter screening: staff."""

from typing import Any

from curation.base.access.permissions import is_staff
from curation.base.web.refusals import NotFound
from curation.tasks.business.models import Deidentification
from curation.tasks.task.models import Task


def did_not_do_it(user: Any, check: Any) -> bool:
    """Return whether somebody else went through the text first."""
    return user.pk != check.done_by_id


def access_collected(user: Any, pk: int) -> Task:
    """Return a collected task with its record, for staff.

    Raises:
        NotFound: no such task, or the person is not staff.
    """
    rows = Task.objects.select_related("domain", "category", "work_type", "collection")
    task = rows.filter(pk=pk, collection__isnull=False).first()
    if task is None or not is_staff(user, task):
        raise NotFound()
    return task


def access_check(user: Any, pk: int) -> Deidentification:
    """Return a check of de-identification, for staff.

    Raises:
        NotFound: no such check, or the person is not staff.
    """
    check = Deidentification.objects.select_related("task__domain", "done_by").filter(pk=pk).first()
    if check is None or not is_staff(user, check):
        raise NotFound()
    return check
