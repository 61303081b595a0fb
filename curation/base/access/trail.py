"""The trail of each page: its name, the page above it, its entry in the top bar.

A route says it once (`page()`); the bar, the paths over pages, the titles, page search and the list
of keys read it here. The page above is the one whose address begins this one, then the entry.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Model
from django.template import Context, Variable, VariableDoesNotExist
from django.urls import reverse
from django.utils.functional import Promise

from curation.base.access import permissions
from curation.base.web.optional_urls import url_or_empty

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class Trail:
    """What a route says about its place.

    Attributes:
        menu: the route of the entry that is marked as current here.
        label: its title: a text, whose `%(name)s` are read from the template's context, or the
            place of the title in that context, as "task.title".
        short: its name in the bar, in paths and in page search, where that is shorter.
        of: where in the context the thing is that the page is about; by default the first part of
            a label like "task.title". Its attributes fill the address.
        up: the route of the page above, where its address does not begin this one.
        tab: the routes of the pages whose bar links to it.
        go: the letter of its keyboard shortcut, pressed after G.
        counts: the key of its number in the bar (`config.navigation.counts_for`).
        alone: why it has no entry and no page above.
    """

    address: str = ""
    menu: str = ""
    label: str | Promise = ""
    short: str | Promise = ""
    of: str = ""
    up: str = ""
    tab: str = ""
    go: str = ""
    counts: str = ""
    alone: str = ""

    @property
    def name(self) -> str | Promise:
        """Its name in the bar, in paths and in page search."""
        return self.short or self.label


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path; `url` is "" where this person may not go there."""

    text: str
    url: str
    language: str


_trails: dict[str, Trail] = {}
_NONE = Trail()


def add(route: str, trail: Trail) -> None:
    """Add the trail of a route."""
    _trails[route] = trail


def of(route: str) -> Trail:
    """Return the trail of a route; an empty one if it has none."""
    return _trails.get(route, _NONE)


def trails() -> Mapping[str, Trail]:
    """Return the trail of every route. Loads the URL configuration first."""
    permissions.routes()
    return _trails


@cache
def page_of(route: str) -> str:
    """Return the page that a route shows: itself, or, where it only takes forms, the one above."""
    return route if permissions.permission_of(route, "GET") else _by_address(of(route).address)


@cache
def above(route: str) -> tuple[str, ...]:
    """Return the routes of the pages above a page, from the top."""
    trail = of(route)
    up = trail.up or _by_address(trail.address) or trail.menu
    return (*above(up), up) if up and up != route and trail.menu != route else ()


def _by_address(address: str) -> str:
    """Return the page with a name whose address begins this one; the nearest, "" if none."""
    found = [
        (len(other.address), route)
        for route, other in _trails.items()
        if other.label and other.address and other.address != address
        if other.address.endswith("/") and address.startswith(other.address)
        if permissions.permission_of(route, "GET")
    ]
    return max(found, default=(0, ""))[1]


def tabs(user: Any, route: str) -> list[Step]:
    """Return the pages beside a page that a person may open, in the order of the addresses."""
    found = [name for name, trail in trails().items() if route in trail.tab.split()]
    return [
        Step(str(of(name).name), reverse(name), "")
        for name in found
        if permissions.allows(user, permissions.permission_of(name, "GET") or "")
    ]


def title(context: Context) -> tuple[str, str]:
    """Return the title of the page that a request shows, and its language where that is known."""
    return _named(of(page_of(_route(context))), context, short=False)


def path(context: Context, up: str = "", query: str = "") -> list[Step]:
    """Return the steps to the page that a request shows, from the top.

    Args:
        up: the page above, where it depends on the thing; or the last few, from the top.
        query: what the address of the page above ends with after "?".
    """
    request = context.get("request")
    route = page_of(_route(context))
    ups = up.split()
    routes = (*above(ups[0]), *ups) if ups else above(route)
    steps = [_step(one, context, request) for one in routes]
    if steps and query and steps[-1].url:
        steps[-1] = Step(steps[-1].text, f"{steps[-1].url}?{query}", steps[-1].language)
    steps = [step for step in steps if step.text]
    while steps and not steps[0].url:  # it begins where this person may go
        del steps[0]
    return steps


def _route(context: Context) -> str:
    match = getattr(context.get("request"), "resolver_match", None)
    return match.view_name if match else ""


def _step(route: str, context: Context, request: Any) -> Step:
    trail = of(route)
    text, language = _named(trail, context, short=True)
    permission = permissions.permission_of(route, "GET")
    if permission is None or not permissions.allows(request.user, permission):
        return Step(text, "", language)
    own = request.resolver_match.kwargs
    same = of(request.resolver_match.view_name).address.startswith(trail.address)
    names = _PARAMETER.findall(trail.address)
    if all(same and name in own for name in names):
        return Step(text, reverse(route, kwargs={name: own[name] for name in names}), language)
    thing = _read(_root(trail), context)
    return Step(text, url_or_empty(route, *(_argument(thing, name) for name in names)), language)


def _argument(thing: Any, name: str) -> Any:
    """Return what stands for a thing in an address: its attribute of this name, or itself."""
    found = getattr(thing, name, thing)
    return getattr(found, "key", found.pk) if isinstance(found, Model) else found


def _named(trail: Trail, context: Context, *, short: bool) -> tuple[str, str]:
    label = trail.name if short else trail.label
    if isinstance(label, Promise):
        text = str(label)
        return (text % _Names(context, _root(trail)) if "%(" in text else text), ""
    if not label:
        return "", ""
    thing = _read(_root(trail), context)
    # What has a title was written by a person, in a language of its own.
    language = getattr(thing, "language", "") if hasattr(thing, "title") else ""
    return str(_read(label, context) or ""), language


def _root(trail: Trail) -> str:
    return trail.of or (trail.label.split(".")[0] if isinstance(trail.label, str) else "")


def _read(place: str, context: Context) -> Any:
    if not place:
        return None
    try:
        return Variable(place).resolve(context)
    except VariableDoesNotExist:
        return None


class _Names(dict[str, Any]):
    """The words of a label: each is read from the context, or from the thing of the page."""

    def __init__(self, context: Context, root: str) -> None:
        super().__init__()
        self.context, self.root = context, root

    def __missing__(self, name: str) -> Any:
        found = _read(f"{self.root}.{name}", self.context) if self.root else None
        return _read(name, self.context) if found is None else found
