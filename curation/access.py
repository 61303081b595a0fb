"""Who may do what: facts, the table of permissions, the table of routes. Deny by default.

A permission maps to any-of lists of all-of facts. A fact is a one-line function named as a
fact; `thing` is what the permission is about (None where the question is only about the
person). A route maps each of its verbs to a permission; a route or verb without a row is
refused. Each app registers its own rows.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import BigIntegerField
from django.utils.translation import gettext as _

from curation.conflicts import in_conflict
from curation.errors import Denied, NotFound
from curation.lifecycle import Stage
from curation.models import PanelPlace, Task
from curation.prepared import Prepared, Slot

Fact = Callable[[Any, Any], bool]
Permission = Sequence[Sequence[Fact]]
Row = TypeVar("Row")

_permissions: dict[str, Permission] = {}
_routes: dict[str, Mapping[str, str]] = {}


def register(
    permissions: Mapping[str, Permission], routes: Mapping[str, Mapping[str, str]]
) -> None:
    """Add an app's rows. A name registered twice is a programming error."""
    _add(_permissions, permissions)
    _add(_routes, routes)


def _add(table: dict[str, Row], rows: Mapping[str, Row]) -> None:
    for name, row in rows.items():
        if table.get(name, row) is not row:
            raise ValueError(f"{name} is registered twice")
        table[name] = row


def routes() -> Mapping[str, Mapping[str, str]]:
    """Every registered route with its verbs and permissions."""
    return _routes


def permission_of(route: str, verb: str) -> str | None:
    """The permission a route's verb needs; None where there is no row."""
    row = _routes.get(route)
    if row is None and ":" in route:
        row = _routes.get(route.split(":", 1)[0] + ":*")
    if row is None:
        return None
    return row.get("GET" if verb == "HEAD" else verb)


def allows(user: Any, permission: str, thing: Any = None) -> bool:
    """Whether the table grants the permission. An unknown permission is an error, not a no."""
    return any(all(fact(user, thing) for fact in group) for group in _permissions[permission])


def authorize(user: Any, permission: str, thing: Any = None) -> None:
    """Refuse unless the table grants the permission.

    Raises:
        Denied: the person may not do this.
    """
    if not allows(user, permission, thing):
        raise Denied()


def refuse_author(user: Any, task: Any) -> None:
    """Refuse whoever acts for the staff on a task they wrote themselves.

    Raises:
        Denied: `own_task`.
    """
    if task.author_id is not None and task.author_id == user.pk:
        raise Denied(
            _("You wrote this task yourself, so another member of staff decides on it."),
            code="own_task",
        )


# --- facts about a person ---------------------------------------------------------------------
def anyone(user: Any, thing: Any) -> bool:
    return True


def signed_in(user: Any, thing: Any) -> bool:
    return bool(user.is_authenticated and user.is_active)


def is_staff(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and bool(user.is_staff)


def is_qualified_somewhere(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and bool(user.qualified_domain_ids())


def is_senior_somewhere(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and bool(user.senior_domain_ids())


# --- facts about a person and a thing that has a domain -----------------------------------------
def is_qualified_in_its_domain(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and thing.domain_id in user.qualified_domain_ids()


def is_senior_in_its_domain(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and thing.domain_id in user.senior_domain_ids()


def has_no_tie_to_the_applicant(user: Any, application: Any) -> bool:
    return not in_conflict(application.user, user)


# --- facts about a person and a task ------------------------------------------------------------
def is_its_author(user: Any, task: Any) -> bool:
    return signed_in(user, None) and task.author_id == user.pk


def is_out_of_its_authors_hands(user: Any, task: Any) -> bool:
    """A returned draft is its author's alone again, whoever has read it before."""
    return bool(task.stage != Stage.DRAFT)


def is_not_its_author(user: Any, task: Any) -> bool:
    return task.author_id != user.pk


def seat_role(user: Any, task: Any) -> str | None:
    """The role of the person's seat on the task, read once per task object."""
    if not signed_in(user, None):
        return None
    known = task.__dict__.setdefault("_seat_roles", {})
    if user.pk not in known:
        known[user.pk] = task.seats.filter(user_id=user.pk).values_list("role", flat=True).first()
    return known[user.pk]


def has_no_seat_on_it(user: Any, task: Any) -> bool:
    return seat_role(user, task) is None


def holds_seat(role: str) -> Fact:
    """A fact: the person holds this seat on the task."""

    def fact(user: Any, task: Any) -> bool:
        return seat_role(user, task) == role

    fact.__name__ = f"holds_the_seat_of_{role}"
    return fact


def has_no_unopened_place_on_it(user: Any, task: Any) -> bool:
    """A member of the panel first reads the task on the panel's page, which notes that they did:
    who has read it keeps the seat. Elsewhere it stays closed until then."""
    return not PanelPlace.objects.filter(
        task_id=task.pk, member_id=user.pk, state=PanelPlace.State.OPEN, opened_at__isnull=True
    ).exists()


# --- facts about a person and something of their own ----------------------------------------------
def is_its_owner(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and thing.user_id == user.pk


# --- loading with authority ---------------------------------------------------------------------
_TASK = Prepared(
    lambda: Task.objects.filter(pk=Slot("task", BigIntegerField())).select_related(
        "domain", "category"
    )
)


def access_task(user: Any, pk: int, permission: str, *, rows: Any = None) -> Any:
    """Load a task and authorise in one step; a hidden task looks like a missing one.

    Args:
        rows: a queryset to load from (to select or defer); all tasks by default.

    Raises:
        NotFound: no such task, or the person may not even see it.
        Denied: the person may see it, but not do this.
    """
    task = _TASK.first(task=pk) if rows is None else rows.filter(pk=pk).first()
    if task is not None and allows(user, permission, task):
        return task
    if task is None or permission == "task.view" or not allows(user, "task.view", task):
        raise NotFound()
    if is_staff(user, task):
        refuse_author(user, task)
    raise Denied()
