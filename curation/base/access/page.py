"""One row per page: its address, view, permission for each verb, and trail."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, path

from curation.base.access import permissions, trail
from curation.base.web import key_converter  # noqa: F401  registers itself


class Pages:
    """Registers pages that share the begin of their address, their entry and permissions."""

    def __init__(self, prefix: str = "", *, menu: str = "", **verbs: str) -> None:
        """Share these.

        Args:
            menu: the route of the entry in the top bar that is marked as current on these pages.
            verbs: HTTP verb -> permission, for the rows that name the verb.
        """
        self.prefix, self.menu, self.verbs = prefix, menu, verbs

    def __call__(
        self,
        route: str,
        view: Callable[..., Any],
        name: str,
        verbs: str = "",
        *,
        by: Any = path,
        menu: str | None = None,
        label: Any = "",
        short: Any = "",
        of: str = "",
        up: str = "",
        tab: str = "",
        go: str = "",
        counts: str = "",
        alone: str = "",
        **own: str,
    ) -> URLPattern:
        """Register a page's permissions and trail, and return its URL pattern.

        Args:
            verbs: those with the shared permissions, as in "GET POST"; others are refused.
            by: `django.urls.re_path` where the route is a regular expression.
            label, short, of, up, tab, go, counts, alone: as in `Trail`.
            own: HTTP verb -> permission, where it is not the shared one.
        """
        address = self.prefix + route
        permissions.add_route(name, {verb: self.verbs[verb] for verb in verbs.split()} | own)
        entry = self.menu if menu is None else menu
        trail.add(name, trail.Trail(address, entry, label, short, of, up, tab, go, counts, alone))
        return by(address, view, name=name)


page = Pages()
