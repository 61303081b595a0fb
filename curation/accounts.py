"""How django-allauth is tuned: sign-up is closed unless the installation opens it."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings


class Adapter(DefaultAccountAdapter):
    """No open sign-up; people come by invitation."""

    def is_open_for_signup(self, request: Any) -> bool:
        return settings.OPEN_SIGNUP


def display(user: Any) -> str:
    """How e-mails and messages name a person."""
    return user.display_name or user.pseudonym
