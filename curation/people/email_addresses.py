"""The addresses a person signs in with."""

from typing import Any


# --- addresses ------------------------------------------------------------------------------------
def confirm_address(user: Any) -> None:
    """Make the person's address a confirmed one: it came with a mailed link or by staff's hand."""
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
