"""Suspending somebody, as staff do it on the page of the person."""

from typing import Any

from django.test import Client
from django.urls import reverse

REASON = "Two contradictory verdicts on the same line."


def decide(staff: Client, person: Any, domain: Any, reason: str = REASON, active: str = "0") -> Any:
    """Suspend (or with `active="1"` reinstate) a person in a domain; the page that follows."""
    data = {"domain": domain.pk, "active": active, "reason": reason}
    return staff.post(reverse("staff-standing", args=[person.pk]), data, follow=True)


def text_of(answer: Any) -> str:
    """The text of a page that was found."""
    assert answer.status_code == 200, answer.content.decode()[:500]
    return answer.content.decode()
