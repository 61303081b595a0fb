"""How django-allauth is tuned, and what ends or confirms an account's ways in."""

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

from curation.access.second_factor import REAL
from curation.accounts import confirmation
from curation.people.email_addresses import confirm_address
from curation.people.models import User

log = logging.getLogger(__name__)
SEEN = "seen"  # in the session: when it was last noted, in seconds


class Adapter(DefaultAccountAdapter):
    """What this product says and does where django-allauth asks."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": gettext_lazy(
            "This address and this password do not belong together. Look at both, or have a new "
            "password sent to you."
        ),
        "too_many_login_attempts": gettext_lazy(
            "Too many tries in a short while. Wait a few minutes, or have a new password sent to "
            "you."
        ),
    }

    def is_open_for_signup(self, request: Any) -> bool:
        return settings.OPEN_SIGNUP

    def save_user(self, request: Any, user: Any, form: Any, commit: bool = True) -> Any:
        """Also keep the name typed, and the language of the page it was typed on."""
        user.display_name = form.cleaned_data.get("display_name", "")
        language = form.cleaned_data.get("language") or translation.get_language()
        if language in dict(settings.LANGUAGES):
            user.language = language
        return super().save_user(request, user, form, commit)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The ways to prove once more who one is, in our words."""
        words = {
            "reauthenticate": _("Use your password"),
            "mfa_reauthenticate": _("Use a code"),
            "mfa_reauthenticate:webauthn": _("Use your passkey"),
        }
        return [
            way | {"description": words.get(way["id"], way["description"])}
            for way in super().get_reauthentication_methods(user)
        ]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send, or say that it could not be sent: a mail server that is down undoes no step."""
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
        """The library's link, with our own signature of the address it confirms.

        The library forgets a link once it was used. By our signature a second click is told that
        the address is confirmed.
        """
        link = super().get_email_confirmation_url(request, emailconfirmation)
        return f"{link}?{urlencode({'of': confirmation.sign(emailconfirmation.email_address)})}"

    def respond_email_verification_sent(self, request: Any, user: Any) -> Any:
        """Remember which address waits, so that the next page can name it and send again."""
        confirmation.remember(request, user)
        return super().respond_email_verification_sent(request, user)

    def get_client_ip(self, request: Any) -> str:
        """The visitor's address; one that cannot be known shares its throttle with all such."""
        try:
            return super().get_client_ip(request)
        except PermissionDenied:
            return "0.0.0.0"  # noqa: S104  a name for "unknown", nothing listens on it


def display(user: Any) -> str:
    """How e-mails and messages name a person."""
    return user.display_name or user.pseudonym


# --- sessions -------------------------------------------------------------------------------------
def note_session(request: Any) -> None:
    """Note where the session of this request is used from, and when. At most two queries."""
    from allauth.account.adapter import get_adapter
    from allauth.usersessions.models import UserSession

    key = request.session.session_key
    if not key:
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
def end_sessions(user: Any, *, but: str | None = None) -> int:
    """Sign a person out everywhere.

    Args:
        but: the key of a session that stays open; without it the epoch moves as well, so that
            even a session nobody noted ends.

    Returns:
        the number of sessions that were known and ended.
    """
    from allauth.usersessions.models import UserSession

    rows = UserSession.objects.filter(user=user)
    if but is None:
        User.objects.filter(pk=user.pk).update(session_epoch=F("session_epoch") + 1)
    else:
        rows = rows.exclude(session_key=but)
    ended = 0
    for row in rows:
        row.end()
        ended += 1
    return ended


# --- answers to signals ---------------------------------------------------------------------------
def on_sign_in(sender: Any, request: Any = None, **kwargs: Any) -> None:
    """A new session counts as seen; the library notes the rest."""
    if request is not None and hasattr(request, "session"):
        request.session[SEEN] = int(time.time())
        request.session.pop(confirmation.SESSION, None)


def on_new_password(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Forget the sessions the old password had opened. Django refuses them already."""
    end_sessions(user, but=request.session.session_key or "")


def on_first_factor(
    sender: Any, request: Any, user: Any, authenticator: Any, **kwargs: Any
) -> None:
    """End the sessions that a password alone had opened: from now on that is not enough."""
    others = user.authenticator_set.filter(type__in=REAL).exclude(pk=authenticator.pk)
    if authenticator.type in REAL and not others.exists():
        end_sessions(user, but=request.session.session_key or "")


def on_reset(sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
    """Whoever could open the mailed link owns the mailbox."""
    from allauth.account.models import EmailAddress

    if EmailAddress.objects.filter(user=user).exclude(email__iexact=user.email).exists():
        return  # with several addresses the link may have gone to another one
    confirm_address(user)


def listen() -> None:
    """Connect the answers above. Called once, when the app is ready."""
    from allauth.account import signals
    from allauth.mfa.signals import authenticator_added
    from django.contrib.auth.signals import user_logged_in

    user_logged_in.connect(on_sign_in, dispatch_uid="curation.accounts.on_sign_in")
    for changed in (signals.password_changed, signals.password_set, signals.password_reset):
        changed.connect(on_new_password, dispatch_uid="curation.accounts.on_new_password")
    signals.password_reset.connect(on_reset, dispatch_uid="curation.accounts.on_reset")
    authenticator_added.connect(on_first_factor, dispatch_uid="curation.accounts.on_first_factor")
