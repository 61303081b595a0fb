"""The terms of work: a text in both languages with a version (`terms.json`).

An installation that edits the text must change its version; people who agreed to an older version
are asked again at their next sign-in.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.utils.translation import get_language

from curation.joining.accounts.models import TermsConsent
from curation.joining.people import Qualification

_FILE = Path(__file__).with_name("terms.json")
DUE = "terms_due"  # session key: the person must agree to the current version


@dataclass(frozen=True)
class Section:
    """A section of the terms; `body` is Markdown."""

    title: str
    body: str


@lru_cache(maxsize=1)
def _content() -> Mapping[str, Any]:
    return json.loads(_FILE.read_text(encoding="utf-8"))


def current_version() -> str:
    """Return the version in force."""
    return _content()["version"]


def sections() -> tuple[Section, ...]:
    """Return the terms in the active language; English for a language without a text."""
    code = (get_language() or "en").split("-")[0]
    return tuple(
        Section(*(row[part].get(code, row[part]["en"]) for part in ("title", "body")))
        for row in _content()["sections"]
    )


def has_agreed(user: Any) -> bool:
    """Return whether a person agreed to the version in force."""
    return TermsConsent.objects.filter(user_id=user.pk, version=current_version()).exists()


def is_due(user: Any) -> bool:
    """Return whether a person must agree to the version in force now. Two queries at most.

    True for people who agreed to an older version, and for experts who never agreed to any, such as
    the founding experts. Others agree with their first application.
    """
    agreed = set(TermsConsent.objects.filter(user_id=user.pk).values_list("version", flat=True))
    if current_version() in agreed:
        return False
    return bool(agreed) or Qualification.objects.filter(user_id=user.pk).exists()


def has_ever_agreed(user: Any) -> bool:
    """Return whether a person agreed to any version."""
    return TermsConsent.objects.filter(user_id=user.pk).exists()


def on_sign_in(sender: Any, request: Any = None, user: Any = None, **kwargs: Any) -> None:
    """Store in the session whether the terms are due, so that other requests need no query."""
    if request is not None and user is not None and hasattr(request, "session"):
        if is_due(user):
            request.session[DUE] = True
        else:
            request.session.pop(DUE, None)


def listen() -> None:
    """Connect the receiver of sign-ins."""
    user_logged_in.connect(on_sign_in, dispatch_uid="curation.terms.on_sign_in")
