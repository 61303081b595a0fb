"""The terms experts work under: a text in both languages with a version.

`terms.json` is product data; an installation that edits it gives it a new version, and everybody
who agreed to an older one is asked again when they next sign in.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.utils.translation import get_language

from curation.applications.consents import TermsConsent
from curation.people.models import Qualification

_FILE = Path(__file__).with_name("terms.json")
DUE = "terms_due"  # in the session: a newer version waits for this person's consent


@dataclass(frozen=True)
class Section:
    """One heading with its text (Markdown), in the reader's language."""

    title: str
    body: str


@lru_cache(maxsize=1)
def _content() -> Mapping[str, Any]:
    return json.loads(_FILE.read_text(encoding="utf-8"))


def current_version() -> str:
    """The version that counts now."""
    return _content()["version"]


def sections() -> tuple[Section, ...]:
    """The terms in the active language; English where a language is missing."""
    code = (get_language() or "en").split("-")[0]
    return tuple(
        Section(*(row[part].get(code, row[part]["en"]) for part in ("title", "body")))
        for row in _content()["sections"]
    )


def has_agreed(user: Any) -> bool:
    """Whether this person agreed to the version that counts now."""
    return TermsConsent.objects.filter(user_id=user.pk, version=current_version()).exists()


def is_due(user: Any) -> bool:
    """Whether this person works here and has not agreed to this version. Two queries at most.

    Who never agreed to any is asked with their first application; who was qualified without one,
    as the founding experts of a programme are, is asked at their next sign-in.
    """
    agreed = set(TermsConsent.objects.filter(user_id=user.pk).values_list("version", flat=True))
    if current_version() in agreed:
        return False
    return bool(agreed) or Qualification.objects.filter(user_id=user.pk).exists()


def has_ever_agreed(user: Any) -> bool:
    """Whether this person agreed to any version."""
    return TermsConsent.objects.filter(user_id=user.pk).exists()


def on_sign_in(sender: Any, request: Any = None, user: Any = None, **kwargs: Any) -> None:
    """Looked up once per sign-in, so that no other request needs a query."""
    if request is not None and user is not None and hasattr(request, "session"):
        if is_due(user):
            request.session[DUE] = True
        else:
            request.session.pop(DUE, None)


def listen() -> None:
    """Connect to signing in, once."""
    user_logged_in.connect(on_sign_in, dispatch_uid="curation.terms.on_sign_in")
