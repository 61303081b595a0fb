"""The places of a person's role, for the top bar."""

from typing import Any

from django.http import HttpRequest


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Template context: `nav`, a list of {label, url, count, current}."""
    return {"nav": []}
