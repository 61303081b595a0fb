"""What templates of the library's own views need to know about an account."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings

from curation import second_factor as rules

register = template.Library()


@dataclass(frozen=True)
class Factor:
    """Whether this person's role asks for a second factor, and whether it is missing."""

    needed: bool
    missing: bool


@register.simple_tag
def second_factor(user: Any) -> Factor:
    """The state of somebody's second factor, as this installation asks for it."""
    needed = settings.REQUIRE_SECOND_FACTOR and rules.must_have_one(user)
    return Factor(needed, needed and not rules.has_one(user))
