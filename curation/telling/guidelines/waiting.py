"""Guidelines that changed since a person read them, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from curation.telling.guidelines.models import Guideline
from curation.telling.guidelines.queries import unread_by

SHOWN = 240  # characters of what changed


def waiting(user: Any) -> list[Waiting]:
    """Return the guidelines an expert has to read. One query; none for others."""
    return [_item(guideline, words) for guideline, words in unread_by(user)]


def changed(user: Any) -> list[Waiting]:
    """Return those of them that changed since the expert read them."""
    return [_item(one, words) for one, words in unread_by(user) if one.read]


def _item(guideline: Any, words: str) -> Waiting:
    return Waiting(
        due=None,
        title=_title(guideline, changed=guideline.read > 0),
        detail=Truncator(words).chars(SHOWN)
        if guideline.read
        else _(
            "You have not read it yet. It says what good work here looks like; each rule can be "
            "asked about on its page."
        ),
        url=reverse("guideline", args=[guideline.key]),
        button=_("Read what changed") if guideline.read else _("Read it"),
        later=True,
    )


def _title(guideline: Guideline, *, changed: bool) -> str:
    if guideline.domain is None:
        return (
            _("The guideline of the programme changed")
            if changed
            else _("Read the guideline of the programme")
        )
    words = (
        _("The guideline of %(domain)s changed")
        if changed
        else _("Read the guideline of %(domain)s")
    )
    return words % {"domain": guideline.domain}
