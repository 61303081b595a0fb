"""The open sessions of a person, and an account as staff see it."""

import ipaddress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.joining.accounts.api_tokens import ApiToken, tokens_of
from curation.joining.accounts.models import SecondFactorReset
from curation.joining.people import User

# Marks in the User-Agent header, most specific first: Edge and Opera also claim to be Chrome, and
# Chrome claims to be Safari.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True)
class OpenSession:
    """A session in which a person is signed in.

    Attributes:
        device: browser and system in words.
        address: the IP address it was last used from, without its last part.
        seen: when it was last recorded in use.
        current: whether it is the session of this request.
    """

    pk: int
    device: str
    address: str
    since: datetime
    seen: datetime
    current: bool


def device_in_words(agent: str) -> str:
    """Return the browser and system that a User-Agent header names."""
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def shortened_address(address: str) -> str:
    """Return an IP address without its last part, for privacy; "" if it is not an IP address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 4:
        return ".".join(str(parsed).split(".")[:3]) + ".…"
    if parsed.ipv4_mapped:
        return shortened_address(str(parsed.ipv4_mapped))
    return ":".join(parsed.exploded.split(":")[:3]) + ":…"


def open_sessions(user: Any, *, current: str | None) -> list[OpenSession]:
    """Return a person's open sessions, the current one first. Two queries.

    Args:
        current: the key of the session of this request.
    """
    rows = list(UserSession.objects.filter(user=user).order_by("-last_seen_at", "-pk"))
    alive = set(
        Session.objects.filter(
            session_key__in=[row.session_key for row in rows], expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    found = [
        OpenSession(
            row.pk,
            device_in_words(row.user_agent),
            shortened_address(row.ip),
            row.created_at,
            row.last_seen_at,
            row.session_key == current,
        )
        for row in rows
        if row.session_key in alive
    ]
    return sorted(found, key=lambda session: not session.current)


@dataclass(frozen=True)
class Account:
    """An account as staff see it: without secrets and without IP addresses.

    Attributes:
        factors: labels of the second factors that are set up.
        sessions: how many are open.
    """

    addresses: tuple[EmailAddress, ...]
    factors: tuple[Any, ...]
    sessions: int
    resets: tuple[SecondFactorReset, ...]
    tokens: list[ApiToken]


def account(person: User) -> Account:
    """Return the account of a person, for staff."""
    kinds = {
        "totp": _("code app"),
        "webauthn": _("passkey"),
        "recovery_codes": _("recovery codes"),
    }
    held = Authenticator.objects.filter(user=person).values_list("type", flat=True)
    keys = UserSession.objects.filter(user=person).values("session_key")
    return Account(
        tuple(EmailAddress.objects.filter(user=person).order_by("-primary", "email")),
        tuple(kinds[kind] for kind in kinds if kind in set(held)),
        Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()).count(),
        tuple(person.second_factor_resets.select_related("actor")),
        tokens_of(person),
    )
