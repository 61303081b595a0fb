"""Prepared reasons for rejecting an application, in the applicant's language."""

from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

REASONS: dict[str, tuple[Any, Any]] = {
    "practice": (
        _("Practice not shown"),
        _(
            "Your profile does not show three years of practice in this domain itself. Studying "
            "it, teaching it or working alongside it does not count here, however good it was."
        ),
    ),
    "evidence": (
        _("Evidence missing"),
        _(
            "We could not confirm the licence or certification you name: the evidence is missing "
            "or cannot be read."
        ),
    ),
    "domain": (
        _("Another domain fits better"),
        _(
            "Your practice is in a different profession from the one you chose. Apply there: "
            "each domain has its own application."
        ),
    ),
    "full": (
        _("The domain is full"),
        _(
            "This domain has as many experts as it needs at present. This says nothing about your "
            "qualification."
        ),
    ),
}


def choices() -> list[tuple[str, Any]]:
    """Return (key, label) pairs for a form."""
    return [(key, label) for key, (label, _text) in REASONS.items()]


def text_for(person: Any, key: str, words: str) -> str:
    """Return the prepared text in the person's language, followed by the staff's own words.

    Args:
        key: a key of `REASONS`; any other gives the own words alone.
    """
    if key not in REASONS:
        return words
    with translation.override(person.language):
        prepared = str(REASONS[key][1])
    return f"{prepared}\n\n{words}" if words.strip() else prepared
