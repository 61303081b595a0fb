"""Two members in conflict, and what was done about it."""

from typing import Any

from allauth.account.models import EmailAddress

from review.conflicts.models import ConflictOfInterest

OWN, STAFF = "/conflicts/", "/staff/conflicts/"


def confirm_addresses(*people: Any) -> None:
    for user in people:
        EmailAddress.objects.update_or_create(
            user=user, email=user.email.lower(), defaults={"verified": True, "primary": True}
        )


def steps(conflict: ConflictOfInterest) -> list[tuple[str, Any, str]]:
    return [(step.kind, step.by, step.reason) for step in conflict.steps.select_related("by")]


def declared(client: Any, **values: str) -> Any:
    return client.post(OWN, {"kind": "coauthor", "name": "Dr Quill", **values})
