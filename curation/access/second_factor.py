"""Who must have a second factor, whether they have one, and how its secrets are kept.

Staff see everything and seniors decide about others' work: their password alone must not be
enough. `REQUIRE_SECOND_FACTOR` says whether the installation insists.
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

from curation.web.refusals import Denied

REAL = ("totp", "webauthn")  # recovery codes alone are no second factor


def must_have_one(user: Any) -> bool:
    """Whether this person's role asks for a second factor."""
    return bool(user.is_authenticated and (user.is_staff or user.senior_domain_ids()))


def has_one(user: Any) -> bool:
    """Whether a code app or a passkey is set up."""
    from allauth.mfa.models import Authenticator

    return Authenticator.objects.filter(user_id=user.pk, type__in=REAL).exists()


def is_missing(user: Any) -> bool:
    """Whether the installation insists, the role asks for one, and there is none."""
    return settings.REQUIRE_SECOND_FACTOR and must_have_one(user) and not has_one(user)


def refusal() -> Denied:
    """What a program is told whose owner has to set one up first."""
    return Denied(
        _(
            "Your role asks for a second factor, and none is set up yet. Sign in with a browser "
            "and set one up; then this works."
        ),
        code="second_factor_needed",
    )


def _vault() -> MultiFernet:
    """Keys from the installation's secret; older secrets still open what they closed."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet(
        [
            Fernet(base64.urlsafe_b64encode(hashlib.sha256(f"second factor|{k}".encode()).digest()))
            for k in keys
        ]
    )


class Adapter(DefaultMFAAdapter):
    """Keeps secrets closed in the database, and speaks our words."""

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
        return _vault().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _vault().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            # SECRET_KEY changed without a fallback. An unguessable secret fits no code: the
            # factor stays closed until staff reset it.
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def _get_site_name(self) -> str:
        return "Assay"

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        from allauth.mfa.models import Authenticator

        n = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return _("Passkey %(number)s") % {"number": n + 1}
