"""Addresses of pages that may belong to an app above this one."""

from typing import Any

from django.urls import NoReverseMatch, reverse


def place(name: str, *args: Any) -> str:
    """The address of a page by its route's name; empty where no app brings that page."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""
