"""Where a person is signed in, and what staff may know of an account."""

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

from curation.accounts.models import SecondFactorReset
from curation.api_tokens.models import ApiToken
from curation.api_tokens.queries import tokens_of
from curation.people.models import User

# What a browser says of itself, most specific first: every later one also names the earlier.
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
class SignedIn:
    """One place where a person is signed in.

    Attributes:
        device: the browser and the system in words.
        address: the network it was last used from, shortened.
        here: it is the session that asks.
    """

    pk: int
    device: str
    address: str
    since: datetime
    seen: datetime
    here: bool


def device_in_words(agent: str) -> str:
    """A browser and its system, from what it says of itself."""
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def shortened(address: str) -> str:
    """An address without its last part: enough to recognise, too little to follow somebody."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 4:
        return ".".join(str(parsed).split(".")[:3]) + ".…"
    if parsed.ipv4_mapped:
        return shortened(str(parsed.ipv4_mapped))
    return ":".join(parsed.exploded.split(":")[:3]) + ":…"


def signed_in_places(user: Any, *, here: str | None) -> list[SignedIn]:
    """Where somebody is signed in now, this session first. Two queries.

    Args:
        here: the key of the session that asks.
    """
    rows = list(UserSession.objects.filter(user=user).order_by("-last_seen_at", "-pk"))
    alive = set(
        Session.objects.filter(
            session_key__in=[row.session_key for row in rows], expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    found = [
        SignedIn(
            row.pk,
            device_in_words(row.user_agent),
            shortened(row.ip),
            row.created_at,
            row.last_seen_at,
            row.session_key == here,
        )
        for row in rows
        if row.session_key in alive
    ]
    return sorted(found, key=lambda place: not place.here)


@dataclass(frozen=True)
class Account:
    """What staff see of somebody's account. Never a secret, never where they are."""

    addresses: tuple[EmailAddress, ...]
    factors: tuple[Any, ...]
    sessions: int
    resets: tuple[SecondFactorReset, ...]
    tokens: list[ApiToken]


def account(person: User) -> Account:
    """The account of one person, for staff."""
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
