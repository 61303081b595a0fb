"""One row per page: its address, view, permission for each verb, and menu entry."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, path

from curation.base.access import permissions
from curation.base.web import key_converter  # noqa: F401  registers itself


def page(
    route: str,
    view: Callable[..., Any],
    name: str,
    *,
    menu: str = "",
    by: Any = path,
    **verbs: str,
) -> URLPattern:
    """Register a page's permissions and return its URL pattern.

    Args:
        menu: the route of the menu entry that is marked as current on this page; "" for none.
        by: `django.urls.re_path` where the route is a regular expression.
        verbs: HTTP verb -> permission; every other verb is refused.
    """
    permissions.add_route(name, verbs, menu)
    return by(route, view, name=name)
