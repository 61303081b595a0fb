"""What templates of the library's own views need to know about an account."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings

from curation.access import second_factor as rules

register = template.Library()


@dataclass(frozen=True)
class Factor:
    """Whether this person's role asks for a second factor, and whether it is missing."""

    needed: bool
    missing: bool


@register.simple_tag
def open_signup() -> bool:
    """Whether anybody may open an account, without an invitation."""
    return settings.OPEN_SIGNUP


@register.simple_tag
def second_factor(user: Any) -> Factor:
    """The state of somebody's second factor, as this installation asks for it."""
    needed = settings.REQUIRE_SECOND_FACTOR and rules.must_have_one(user)
    return Factor(needed, needed and not rules.has_one(user))


@register.filter
def asks_password(form: Any) -> bool:
    """Whether a form has a field for a password. Browsers get none back, so it is typed again."""
    return any(field.widget_type == "password" for field in form.visible_fields())
