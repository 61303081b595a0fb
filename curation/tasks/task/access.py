"""Who may open a task: its author, the holders of its seats, and the facts about them."""

from typing import Any

from django.utils.translation import gettext as _

from curation.base.access.duties import Duty
from curation.base.access.permissions import Fact, allows, has_duty, is_staff, refusal_of, signed_in
from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import Denied, NotFound
from curation.joining.people.conflicts import conflicts_of
from curation.tasks.task.models import Task


def refuse_author(user: Any, task: Any) -> None:
    """Refuse a member of staff who acts on a task they wrote themselves.

    Raises:
        Denied: `own_task`.
    """
    if user.pk is not None and user.pk in (task.author_id, task.rubric_author_id):
        raise Denied(
            _("You wrote this task yourself, so another member of staff decides on it."),
            code="own_task",
        )


# --- facts about a person and a task, for the table of permissions -----------------------------
def is_its_author(user: Any, task: Any) -> bool:
    return signed_in(user, None) and task.author_id == user.pk


def is_collected(user: Any, task: Any) -> bool:
    """Return whether the task came from business and so has no author."""
    return bool(task.collected)


def writes_it_for_its_owner(user: Any, task: Any) -> bool:
    """Return whether the person edits tasks as staff and the task came from business."""
    return has_duty(Duty.EDITING)(user, task) and bool(task.collected)


def is_not_a_draft(user: Any, task: Any) -> bool:
    """Return whether the task has left its author: a returned draft is the author's alone again."""
    return bool(task.stage != Stage.DRAFT)


def is_not_its_author(user: Any, task: Any) -> bool:
    """Return whether the person wrote neither the task nor its rubric."""
    return user.pk not in (task.author_id, task.rubric_author_id)


def writes_its_rubric(user: Any, task: Any) -> bool:
    """Return whether the rubric is the person's: as its author, or because they took it over."""
    return signed_in(user, None) and task.rubric_author_pk == user.pk


def kept_off(task: Any) -> set[int]:
    """Return the ids of everybody in conflict with the author of a task or of its rubric.

    Two queries; none for an imported task.
    """
    found = conflicts_of([p for p in (task.author, task.rubric_author) if p is not None])
    return set().union(*found.values())


def seat_role(user: Any, task: Any) -> str | None:
    """Return the role of the person's seat on the task; None without one.

    Read once per task object.
    """
    if not signed_in(user, None):
        return None
    known = task.__dict__.setdefault("_seat_roles", {})
    if user.pk not in known:
        known[user.pk] = task.seats.filter(user_id=user.pk).values_list("role", flat=True).first()
    return known[user.pk]


def has_no_seat_on_it(user: Any, task: Any) -> bool:
    return seat_role(user, task) is None


def holds_seat(role: str) -> Fact:
    """Return the fact that a person holds this seat on the task."""

    def fact(user: Any, task: Any) -> bool:
        return seat_role(user, task) == role

    fact.__name__ = f"holds_the_seat_of_{role}"
    return fact


# --- loading with authority ---------------------------------------------------------------------
def access_task(user: Any, pk: int, permission: str, *, rows: Any = None) -> Any:
    """Load a task and authorise the person; a hidden task looks like a missing one.

    Args:
        rows: a queryset to load from (to select or defer); by default all tasks, with their
            domain and category.

    Raises:
        NotFound: no such task, or the person may not even see it.
        Denied: the person may see it, but not do this.
    """
    if rows is None:
        rows = Task.objects.select_related("domain", "category")
    task = rows.filter(pk=pk).first()
    if task is not None and allows(user, permission, task):
        return task
    if task is None or permission == "task.view" or not allows(user, "task.view", task):
        raise NotFound()
    if is_staff(user, task):
        refuse_author(user, task)
    raise refusal_of(user, permission, task)


# --- facts that ask the table of permissions itself ---------------------------------------------
def may_view_the_task(user: Any, task: Any) -> bool:
    return allows(user, "task.view", task)
