"""The second factor: who must have one, who has one, and how its secrets are stored.

Staff see everything and seniors decide about others' work, so a password alone must not be enough
for them. `REQUIRE_SECOND_FACTOR` turns the rule on.
"""

import base64
import hashlib
import secrets
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.refusals import Denied

SECOND_FACTOR_TYPES = ("totp", "webauthn")  # recovery codes alone do not count


def must_have_one(user: Any) -> bool:
    """Return whether the person's role requires a second factor."""
    return bool(user.is_authenticated and (user.is_staff or user.senior_domain_ids()))


def has_one(user: Any) -> bool:
    """Return whether the person has set up a code app or a passkey."""
    from allauth.mfa.models import Authenticator

    return Authenticator.objects.filter(user_id=user.pk, type__in=SECOND_FACTOR_TYPES).exists()


def is_missing(user: Any) -> bool:
    """Return whether the installation and the role require a second factor and there is none."""
    return settings.REQUIRE_SECOND_FACTOR and must_have_one(user) and not has_one(user)


def refusal() -> Denied:
    """Build the refusal for a program whose owner must set up a second factor first."""
    return Denied(
        _(
            "Your role asks for a second factor, and none is set up yet. Sign in with a browser "
            "and set one up; then this works."
        ),
        code="second_factor_needed",
    )


def _fernet() -> MultiFernet:
    """Return the cipher for stored secrets; it also decrypts with SECRET_KEY_FALLBACKS."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet(
        [
            Fernet(base64.urlsafe_b64encode(hashlib.sha256(f"second factor|{k}".encode()).digest()))
            for k in keys
        ]
    )


class Adapter(DefaultMFAAdapter):
    """Encrypts the secrets in the database, and replaces sentences of the library."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy(
            "This did not match. Codes change every half minute: use the newest one. A recovery "
            "code works once."
        ),
        "cannot_generate_recovery_codes": gettext_lazy(
            "Set up a code app or a passkey first; recovery codes come with it."
        ),
    }

    def encrypt(self, text: str) -> str:
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _fernet().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            # SECRET_KEY changed without a fallback. Return a random secret that fits no code, so
            # that the factor cannot be used until staff reset it.
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def _get_site_name(self) -> str:
        return "Assay"

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        from allauth.mfa.models import Authenticator

        n = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return _("Passkey %(number)s") % {"number": n + 1}
