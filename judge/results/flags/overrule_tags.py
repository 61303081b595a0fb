"""The template filter of overruled findings: `{{ page.overrules|finding:item.finding }}`."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def finding(overrules: Mapping[str, Any] | None, name: str) -> Any:
    """Return what is overruled, and can be, of a finding by its name; None if it cannot be."""
    return overrules.get(name) if overrules else None
