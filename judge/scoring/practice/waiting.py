"""The practice that waits for a person, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from judge.scoring.practice.queries import offers


def waiting(user: Any) -> list[Waiting]:
    """Return the domains in which a person can start a practice sheet.

    One that is open waits with their other sheets.
    """
    return [
        Waiting(
            due=None,
            title=_("Practise scoring in %(domain)s") % {"domain": offer.domain},
            detail=_("One sheet whose verdicts are agreed; you see them line by line afterwards"),
            url=reverse("scoring") + "#practice",
            button=_("Start"),
            section="scoring",
        )
        for offer in offers(user)
        if not offer.paused and offer.open is None and offer.left
    ]
