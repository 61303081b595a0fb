"""Partial updates of pages, requested by their own script (static/js/lib/parts.js)."""

from django.http import HttpRequest, HttpResponse


def wants_parts(request: HttpRequest) -> bool:
    """Return whether the script asks for parts; each replaces the element with its id."""
    return "X-Parts" in request.headers


def to_reload(response: HttpResponse) -> HttpResponse:
    """Make the script load the page again, because more than its parts has changed."""
    response["X-Reload"] = "1"
    return response
