"""The template tag of the practice a scorer can do: `{% practice_offers as offers %}`."""

from typing import Any

from django import template

from judge.scoring.practice.queries import Offer, offers

register = template.Library()


@register.simple_tag(takes_context=True)
def practice_offers(context: Any) -> list[Offer]:
    """Return what keeps the person of the request from new sheets, and what they can do."""
    return offers(context["request"].user)
