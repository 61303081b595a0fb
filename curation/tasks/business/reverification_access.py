"""Who may verify a dynamic answer again: an expert of the domain who did not write the task."""

from typing import Any

from curation.base.access.permissions import allows, is_qualified_in_its_domain
from curation.base.web.refusals import NotFound
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.queries import is_not_its_author, kept_off

State = Reverification.State
AT_WORK = (State.TAKEN, State.AMENDING)


def took_it(user: Any, row: Any) -> bool:
    """Return whether the request is with this person, who is still qualified in the domain."""
    mine = bool(user.pk and row.expert_id == user.pk)
    return mine and is_qualified_in_its_domain(user, row.task)


def may_take_it(user: Any, row: Any) -> bool:
    """Return whether an open request may go to this person."""
    return (
        row.state == State.OPEN
        and is_qualified_in_its_domain(user, row.task)
        and is_not_its_author(user, row.task)
        and user.pk not in kept_off(row.task)
    )


def did_not_write_the_task(user: Any, row: Any) -> bool:
    return is_not_its_author(user, row.task)


def verifies_it_again(user: Any, task: Any) -> bool:
    """Return whether the person found that the answer of this task has changed. One query."""
    rows = Reverification.objects.filter(task=task.pk, state=State.AMENDING)
    return bool(user.pk) and rows.filter(expert=user.pk).exists()


def access_reverification(
    user: Any, pk: int, permission: str = "reverification.view"
) -> Reverification:
    """Return a re-verification for which the person has the permission.

    Raises:
        NotFound: no such row, or the person lacks the permission.
    """
    rows = Reverification.objects.select_related(
        "task__domain", "task__author", "task__rubric_author", "expert"
    )
    row = rows.filter(pk=pk).first()
    if row is None or not allows(user, permission, row):
        raise NotFound()
    return row
