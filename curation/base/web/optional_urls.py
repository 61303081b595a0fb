"""Addresses of pages that may be defined by an app above this one."""

from typing import Any

from django.urls import NoReverseMatch, reverse


def url_or_empty(route: str, *args: Any) -> str:
    """Return the address of a route; "" if no app defines it."""
    try:
        return reverse(route, args=args)
    except NoReverseMatch:
        return ""
