"""The tables of permissions and routes. Everything without a row is denied.

A fact is a short function of a person and a thing, named as a statement; the thing is None where
the permission is about the person only. A permission is a list of groups of facts: it is granted if
all facts of one group hold. A route maps each of its verbs to a permission. Each app registers its
own rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.urls import get_resolver

from curation.base.access.duties import Duty, column_of, sentence_on_missing
from curation.base.web.refusals import Denied

Fact = Callable[[Any, Any], bool]
Permission = Sequence[Sequence[Fact]]
Row = TypeVar("Row")

_permissions: dict[str, Permission] = {}
_routes: dict[str, Mapping[str, str]] = {}


def register(permissions: Mapping[str, Permission]) -> None:
    """Add permissions. Raises ValueError for a name that is registered with another row."""
    for name, row in permissions.items():
        _add(_permissions, name, row)


def add_route(name: str, verbs: Mapping[str, str]) -> None:
    """Add a route: verb -> permission. Raises ValueError if it is registered with another row."""
    _add(_routes, name, verbs)


def _add(table: dict[str, Row], name: str, row: Row) -> None:
    if table.get(name, row) is not row:
        raise ValueError(f"{name} is registered twice")
    table[name] = row


def all_permissions() -> Mapping[str, Permission]:
    """Return every permission with its groups of facts."""
    return _permissions


def routes() -> Mapping[str, Mapping[str, str]]:
    """Return every route: name -> verb -> permission. Loads the URL configuration first."""
    get_resolver().url_patterns  # noqa: B018  reading it imports every urls.py
    return _routes


def permission_of(route: str, verb: str) -> str | None:
    """Return the permission a verb of a route needs; None where there is no row.

    A route "name:…" without a row of its own uses the row "name:*". HEAD counts as GET.
    """
    table = routes()
    row = table.get(route)
    if row is None and ":" in route:
        row = table.get(route.split(":", 1)[0] + ":*")
    if row is None:
        return None
    return row.get("GET" if verb == "HEAD" else verb)


def allows(user: Any, permission: str, thing: Any = None) -> bool:
    """Return whether the table grants a permission. Raises KeyError for an unknown permission."""
    return any(all(fact(user, thing) for fact in group) for group in _permissions[permission])


def authorize(user: Any, permission: str, thing: Any = None) -> None:
    """Refuse a person to whom the table does not grant the permission.

    Raises:
        Denied: it is not granted.
    """
    if not allows(user, permission, thing):
        raise refusal_of(user, permission, thing)


def duty_missing(user: Any, permission: str, thing: Any = None) -> str:
    """Return the duty that alone keeps a member of staff from a permission; "" if there is none."""
    if not is_staff(user, None) or allows(user, permission, thing):
        return ""
    for group in _permissions[permission]:
        lacking = [fact for fact in group if not fact(user, thing)]
        if len(lacking) == 1 and isinstance(lacking[0], has_duty):
            return lacking[0].duty
    return ""


def refusal_of(user: Any, permission: str, thing: Any = None) -> Denied:
    """Build the refusal of a permission. It names the duty, where a member of staff lacks one."""
    duty = duty_missing(user, permission, thing)
    if not duty:
        return Denied()
    return Denied(sentence_on_missing(duty), code="duty_needed", data={"duty": duty})


# --- facts about a person ---------------------------------------------------------------------
def anyone(user: Any, thing: Any) -> bool:
    return True


def signed_in(user: Any, thing: Any) -> bool:
    return bool(user.is_authenticated and user.is_active)


def is_staff(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and bool(user.is_staff)


@dataclass(frozen=True)
class has_duty:  # noqa: N801  it reads as a fact
    """The fact that a person is staff with this duty."""

    duty: str

    def __call__(self, user: Any, thing: Any) -> bool:
        return is_staff(user, None) and bool(getattr(user, column_of(self.duty)))


# The permission of each duty: `staff.recruiting`, `staff.editing` and so on.
OF_DUTIES: Mapping[str, Permission] = {f"staff.{duty}": [[has_duty(duty)]] for duty in Duty}


def is_operator(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and bool(user.is_operator)


def is_qualified_somewhere(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and bool(user.qualified_domain_ids())


def is_senior_somewhere(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and bool(user.senior_domain_ids())


# --- facts about a person and a thing that has a domain -----------------------------------------
def is_qualified_in_its_domain(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and thing.domain_id in user.qualified_domain_ids()


def is_senior_in_its_domain(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and thing.domain_id in user.senior_domain_ids()


# --- facts about a person and something of their own ----------------------------------------------
def is_its_owner(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and thing.user_id == user.pk
