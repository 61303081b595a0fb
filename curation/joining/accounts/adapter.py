"""Settings of django-allauth in code, the end of sessions, and receivers of its signals."""

import logging
import time
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.second_factor import SECOND_FACTOR_TYPES
from curation.joining.accounts import confirmation
from curation.joining.accounts.session_store import is_signed, row_key_of
from curation.joining.people import User, confirm_address

log = logging.getLogger(__name__)
SEEN = "seen"  # session key: when the session was last recorded, in seconds since 1970


class Adapter(DefaultAccountAdapter):
    """The account adapter of django-allauth."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": gettext_lazy(
            "The e-mail address and the password do not match. Check both, or reset your password."
        ),
        "too_many_login_attempts": gettext_lazy(
            "Too many attempts in a short time. Wait a few minutes, or reset your password."
        ),
    }

    def is_open_for_signup(self, request: Any) -> bool:
        return settings.OPEN_SIGNUP

    def save_user(self, request: Any, user: Any, form: Any, commit: bool = True) -> Any:
        """Store the typed name and the language of the page too."""
        user.display_name = form.cleaned_data.get("display_name", "")
        language = form.cleaned_data.get("language") or translation.get_language()
        if language in dict(settings.LANGUAGES):
            user.language = language
        return super().save_user(request, user, form, commit)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the ways to confirm one's identity again, with our own labels."""
        words = {
            "reauthenticate": _("Use your password"),
            "mfa_reauthenticate": _("Use a code"),
            "mfa_reauthenticate:webauthn": _("Use your passkey"),
        }
        return [
            way | {"description": words.get(way["id"], way["description"])}
            for way in super().get_reauthentication_methods(user)
        ]

    def logout(self, request: Any) -> None:
        """End the session; say what a full disk leaves of it."""
        super().logout(request)
        left = {
            "row": _(
                "The disk of the server is full, so the session could not be deleted yet. This "
                "browser has forgotten it. When there is room again, end it under Where you are "
                "signed in if it is still there."
            ),
            "cookie": _(
                "The disk of the server was full when you signed in, so the session was kept in "
                "this browser alone. It is deleted here; a copy of it would end by itself, an "
                "hour after it began at the latest."
            ),
        }.get(getattr(request.session, "unended", ""))  # of our SESSION_ENGINE
        if left:
            messages.warning(request, left)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail; show a message if that fails, so that the step itself still counts."""
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            log.exception("The e-mail %s could not be sent.", template_prefix)
            if self.request is not None:
                self.request.mail_failed = True
                messages.error(
                    self.request,
                    _("The e-mail could not be sent. Try again in a few minutes."),
                )

    def get_email_confirmation_url(self, request: Any, emailconfirmation: Any) -> str:
        """Return the library's link with our signature of the address it confirms.

        The library does not recognise a link once it was used. With the signature, the page can
        say that the address is confirmed already.
        """
        link = super().get_email_confirmation_url(request, emailconfirmation)
        return f"{link}?{urlencode({'of': confirmation.sign(emailconfirmation.email_address)})}"

    def respond_email_verification_sent(self, request: Any, user: Any) -> Any:
        """Store the address to be confirmed, so that the next page can name it and send again."""
        confirmation.remember(request, user)
        return super().respond_email_verification_sent(request, user)

    def get_client_ip(self, request: Any) -> str:
        """Return the visitor's IP address; visitors without a known one share a throttle."""
        try:
            return super().get_client_ip(request)
        except PermissionDenied:
            return "0.0.0.0"  # noqa: S104  stands for "unknown"; nothing listens on it


def display(user: Any) -> str:
    """Return the name of a person in their own e-mails and messages."""
    return user.display_name or user.pseudonym


# --- sessions -------------------------------------------------------------------------------------
def note_session(request: Any) -> None:
    """Record the address, browser and time of this request's session. At most two queries."""
    from allauth.account.adapter import get_adapter
    from allauth.usersessions.models import UserSession

    key = request.session.session_key
    if not key or is_signed(key):
        return
    agent = request.headers.get("User-Agent", "")[:200]
    UserSession.objects.update_or_create(
        session_key=key,
        defaults={
            "user": request.user,
            "ip": get_adapter().get_client_ip(request),
            "user_agent": agent,
            "last_seen_at": timezone.now(),
        },
    )


@transaction.atomic
def end_sessions(user: Any, *, keep: str | None = None) -> int:
    """Sign a person out everywhere.

    Args:
        keep: the key of a session that stays open. With None the session epoch is raised too, so
            that sessions that were never recorded end as well.

    Returns:
        the number of recorded sessions that ended.
    """
    from allauth.usersessions.models import UserSession

    rows = UserSession.objects.filter(user=user)
    if keep is None:
        User.objects.filter(pk=user.pk).update(session_epoch=F("session_epoch") + 1)
    else:
        rows = rows.exclude(session_key=keep)
    ended = 0
    for row in rows:
        row.end()
        ended += 1
    return ended


# --- receivers of signals -------------------------------------------------------------------------
def on_sign_in(sender: Any, request: Any = None, **kwargs: Any) -> None:
    """Mark a new session as recorded, which the library does, and forget a pending confirmation."""
    if request is not None and hasattr(request, "session"):
        request.session[SEEN] = int(time.time())
        request.session.pop(confirmation.SESSION, None)


def on_new_password(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Delete the sessions opened with the old password, which Django refuses already."""
    end_sessions(user, keep=row_key_of(request.session) or "")


def on_first_factor(
    sender: Any, request: Any, user: Any, authenticator: Any, **kwargs: Any
) -> None:
    """End the other sessions when the first factor is set up: a password alone opened them."""
    others = user.authenticator_set.filter(type__in=SECOND_FACTOR_TYPES).exclude(
        pk=authenticator.pk
    )
    if authenticator.type in SECOND_FACTOR_TYPES and not others.exists():
        end_sessions(user, keep=row_key_of(request.session) or "")


def on_reset(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Mark the address as confirmed: the person opened a link mailed to it."""
    from allauth.account.models import EmailAddress

    if EmailAddress.objects.filter(user=user).exclude(email__iexact=user.email).exists():
        return  # the link may have gone to another of several addresses
    confirm_address(user)


def listen() -> None:
    """Connect the receivers above."""
    from allauth.account import signals
    from allauth.mfa.signals import authenticator_added
    from django.contrib.auth.signals import user_logged_in

    user_logged_in.connect(on_sign_in, dispatch_uid="curation.accounts.on_sign_in")
    for changed in (signals.password_changed, signals.password_set, signals.password_reset):
        changed.connect(on_new_password, dispatch_uid="curation.accounts.on_new_password")
    signals.password_reset.connect(on_reset, dispatch_uid="curation.accounts.on_reset")
    authenticator_added.connect(on_first_factor, dispatch_uid="curation.accounts.on_first_factor")
