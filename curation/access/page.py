"""A page in one row: its address, its view, what each verb asks for, its place in the menu."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, path

from curation.access import permissions


def page(
    route: str,
    view: Callable[..., Any],
    name: str,
    *,
    menu: str = "",
    by: Any = path,
    **verbs: str,
) -> URLPattern:
    """An address of the URL configuration, with its row in the table of routes.

    Args:
        menu: the entry of the top bar that is marked on this page, by its route; "" for none.
        by: `django.urls.re_path` where the route is a regular expression.
        verbs: HTTP verb -> permission; every other verb is refused.
    """
    permissions.add_route(name, verbs, menu)
    return by(route, view, name=name)
