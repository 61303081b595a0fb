"""Who may propose, read and decide an amendment."""

from typing import Any

from curation.base.access.permissions import allows
from curation.base.process.roles import Role
from curation.base.web.refusals import NotFound
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.access import (
    is_its_author,
    is_not_its_author,
    kept_off,
    may_view_the_task,
    seat_role,
    writes_its_rubric,
)

# A senior who holds one of these seats has read the task as a senior, and may decide as well.
SENIOR_SEATS = (Role.ADVISER, Role.AMENDMENT_DECIDER, Role.DECIDER, Role.SPOT_CHECKER)


# --- facts about a person and an amendment --------------------------------------------------------
def proposed_it(user: Any, amendment: Any) -> bool:
    return bool(user.pk and amendment.proposed_by_id == user.pk)


def did_not_propose_it(user: Any, amendment: Any) -> bool:
    return not proposed_it(user, amendment)


def wrote_its_task(user: Any, amendment: Any) -> bool:
    return is_its_author(user, amendment.task) or writes_its_rubric(user, amendment.task)


def did_not_write_its_task(user: Any, amendment: Any) -> bool:
    return is_not_its_author(user, amendment.task)


def has_no_other_seat_on_its_task(user: Any, amendment: Any) -> bool:
    return seat_role(user, amendment.task) in (None, *SENIOR_SEATS)


def has_no_conflict_with_its_author(user: Any, amendment: Any) -> bool:
    return user.pk not in kept_off(amendment.task)


def is_in_force(user: Any, amendment: Any) -> bool:
    return bool(amendment.state == Amendment.State.AGREED)


def may_read_its_task(user: Any, amendment: Any) -> bool:
    return may_view_the_task(user, amendment.task)


def decided_it(user: Any, amendment: Any) -> bool:
    return bool(user.pk and amendment.decided_by_id == user.pk)


def may_decide_its_amendment(user: Any, task: Any) -> bool:
    """Return whether an amendment of the task waits for this senior, who has to read its files."""
    waiting = Amendment.objects.filter(task=task, state=Amendment.State.PROPOSED)
    return any(allows(user, "amendment.decide", amendment) for amendment in waiting)


def access_amendment(user: Any, pk: int, permission: str = "amendment.view") -> Amendment:
    """Return an amendment for which the person has the permission.

    Raises:
        NotFound: no such amendment, or the person lacks the permission.
    """
    rows = Amendment.objects.select_related("task__domain", "task__category", "task__author")
    amendment = rows.filter(pk=pk).first()
    if amendment is None or not allows(user, permission, amendment):
        raise NotFound()
    return amendment
