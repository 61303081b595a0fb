"""Facts for the permission to close an account."""

from typing import Any

from curation.base.access.permissions import signed_in


def is_the_person(user: Any, thing: Any) -> bool:
    """Return whether an account is one's own."""
    return signed_in(user, None) and thing.pk == user.pk
