"""The e-mail addresses with which a person signs in."""

from typing import Any


def confirm_address(user: Any) -> None:
    """Mark a person's address as confirmed; do nothing if it is a confirmed address already."""
    from allauth.account.models import EmailAddress

    if EmailAddress.objects.filter(email__iexact=user.email, verified=True).exists():
        return
    own = EmailAddress.objects.filter(user=user)
    if not own.filter(email__iexact=user.email).update(verified=True):
        EmailAddress.objects.create(
            user=user,
            email=user.email.lower(),
            verified=True,
            primary=not own.filter(primary=True).exists(),
        )
