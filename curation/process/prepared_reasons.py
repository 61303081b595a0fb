"""Prepared reasons for turning somebody down, said in the language of whoever reads them."""

from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

REASONS: dict[str, tuple[Any, Any]] = {
    "practice": (
        _("Practice not shown"),
        _(
            "Your profile does not show three years of practice in this domain itself. Study, "
            "teaching about it or work beside it do not count here, however good they are."
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
            "Your practice lies in another profession than the one you chose. Apply there: each "
            "domain has an application of its own."
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
    """(key, label) for a form."""
    return [(key, label) for key, (label, _text) in REASONS.items()]


def written_to(person: Any, key: str, words: str) -> str:
    """The reason as this person reads it: the prepared text in their language, then own words."""
    if key not in REASONS:
        return words
    with translation.override(person.language):
        prepared = str(REASONS[key][1])
    return f"{prepared}\n\n{words}" if words.strip() else prepared
