"""The note that no background worker is running."""

from typing import Any

from django import template

from judge.queue.queries import is_awake, last_heartbeat

register = template.Library()


@register.inclusion_tag("components/worker_away.html", takes_context=True)
def worker_note(context: template.Context, *, swap: bool = False) -> dict[str, Any]:
    """The place of the note; empty while a worker lives.

    Staff's heartbeat came with the numbers of the bar; for others it is one query.

    Args:
        swap: True in a fragment that replaces the note of a page that is open already.
    """
    user = context.get("user")
    for_staff = bool(user and user.is_staff)
    known = for_staff and not swap and "worker_heartbeat" in context
    since = context["worker_heartbeat"]() if known else last_heartbeat()
    return {
        "away": not is_awake(since),
        "since": since,
        "swap": swap,
        "for_staff": for_staff,
    }
