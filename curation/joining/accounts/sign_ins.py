"""Records who signed in and who was refused, for staff's audit."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.utils import timezone, translation

from curation.base.web.room import best_effort
from curation.joining.accounts.models import SignIn
from curation.joining.accounts.queries import device_in_words
from curation.joining.people import User

KEPT = timedelta(days=180)


def _record(user: Any, outcome: str, request: Any) -> None:
    headers = getattr(request, "headers", None) or {}
    with translation.override("en"):
        device = device_in_words(headers.get("User-Agent", ""))
    with best_effort("a sign-in"):
        SignIn.objects.create(user=user, outcome=outcome, device=device[:60])


def on_sign_in(sender: Any, user: Any, request: Any = None, **kwargs: Any) -> None:
    """Record a sign-in."""
    _record(user, SignIn.Outcome.DONE, request)


def on_refusal(sender: Any, credentials: Any, request: Any = None, **kwargs: Any) -> None:
    """Record a refused sign-in, with the person whose address was typed, if it is anybody's."""
    typed = str(credentials.get("email") or credentials.get("username") or "").strip()
    person = User.objects.filter(email__iexact=typed).first() if typed else None
    _record(person, SignIn.Outcome.REFUSED, request)


def forget_old_sign_ins() -> int:
    """Delete sign-ins older than `KEPT`; return how many (a periodic job)."""
    gone, _kinds = SignIn.objects.filter(at__lt=timezone.now() - KEPT).delete()
    return gone


def listen() -> None:
    """Connect the receivers above."""
    user_logged_in.connect(on_sign_in, dispatch_uid="curation.sign_ins.on_sign_in")
    user_login_failed.connect(on_refusal, dispatch_uid="curation.sign_ins.on_refusal")
