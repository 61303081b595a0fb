"""Template tags about accounts, for templates of django-allauth's views."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings

from curation.base.access.second_factor import has_one, must_have_one

register = template.Library()


@dataclass(frozen=True)
class Factor:
    """Whether a person needs a second factor, and whether it is missing."""

    needed: bool
    missing: bool


@register.simple_tag
def open_signup() -> bool:
    """Return whether people may open an account without an invitation."""
    return settings.OPEN_SIGNUP


@register.simple_tag
def second_factor(user: Any) -> Factor:
    """Return whether a person needs a second factor here, and whether it is missing."""
    needed = settings.REQUIRE_SECOND_FACTOR and must_have_one(user)
    return Factor(needed, needed and not has_one(user))


@register.filter
def asks_password(form: Any) -> bool:
    """Return whether a form has a password field, which is empty after a refusal."""
    return any(field.widget_type == "password" for field in form.visible_fields())
