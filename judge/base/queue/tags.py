"""The template tag of the note that no background worker is running."""

from typing import Any

from django import template

from judge.base.queue.models import is_awake, last_heartbeat

register = template.Library()


@register.inclusion_tag("components/worker_away.html", takes_context=True)
def worker_note(context: template.Context, *, fresh: bool = False) -> dict[str, Any]:
    """Show the note; its element is empty while a worker runs.

    One query, except for staff, whose heartbeat comes with the numbers of the menu.

    Args:
        fresh: whether it is in an answer that replaces the note of an open page.
    """
    user = context.get("user")
    for_staff = bool(user and user.is_staff)
    known = for_staff and not fresh and "worker_heartbeat" in context
    since = context["worker_heartbeat"]() if known else last_heartbeat()
    return {
        "away": not is_awake(since),
        "since": since,
        "for_staff": for_staff,
    }
