"""Who may do what: facts, the table of permissions, the table of routes. Deny by default.

A permission maps to any-of lists of all-of facts. A fact is a one-line function named as a
fact; `thing` is what the permission is about (None where the question is only about the
person). A route maps each of its verbs to a permission; a route or verb without a row is
refused. Each app registers its own rows.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from django.urls import get_resolver

from curation.web.refusals import Denied

Fact = Callable[[Any, Any], bool]
Permission = Sequence[Sequence[Fact]]
Row = TypeVar("Row")

_permissions: dict[str, Permission] = {}
_routes: dict[str, Mapping[str, str]] = {}
_menus: dict[str, str] = {}


def register(permissions: Mapping[str, Permission]) -> None:
    """Add an app's rows. A name registered twice is a programming error."""
    for name, row in permissions.items():
        _add(_permissions, name, row)


def add_route(name: str, verbs: Mapping[str, str], menu: str = "") -> None:
    """Add the row of one route: verb -> permission. Twice is a programming error."""
    _add(_routes, name, verbs)
    _menus[name] = menu


def _add(table: dict[str, Row], name: str, row: Row) -> None:
    if table.get(name, row) is not row:
        raise ValueError(f"{name} is registered twice")
    table[name] = row


def routes() -> Mapping[str, Mapping[str, str]]:
    """Every route with its verbs and permissions, as the pages of the product state them."""
    get_resolver().url_patterns  # noqa: B018  reading it loads the pages
    return _routes


def menu_of(route: str) -> str:
    """The entry of the top bar that is marked on this page, by its route; "" for none."""
    return _menus.get(route, "")


def permission_of(route: str, verb: str) -> str | None:
    """The permission a route's verb needs; None where there is no row."""
    table = routes()
    row = table.get(route)
    if row is None and ":" in route:
        row = table.get(route.split(":", 1)[0] + ":*")
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


# --- facts about a person and something of their own ----------------------------------------------
def is_its_owner(user: Any, thing: Any) -> bool:
    return signed_in(user, None) and thing.user_id == user.pk
