"""Readers' reports that wait for staff, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.waiting import Waiting
from judge.gold.releases.erratum_models import Erratum


def waiting(user: Any) -> list[Waiting]:
    """Return one item with the number of open reports. One query; none for others."""
    if not user.has_duty("gold"):
        return []
    number = Erratum.objects.filter(state=Erratum.State.OPEN).count()
    if not number:
        return []
    return [
        Waiting(
            due=None,
            title=ngettext(
                "%(n)s report on a released task waits for a decision",
                "%(n)s reports on released tasks wait for a decision",
                number,
            )
            % {"n": f"{number:,}"},
            detail=_("Readers of a release say that something is wrong"),
            url=f"{reverse('staff-errata')}?state={Erratum.State.OPEN}",
            button=_("Read them"),
            section="gold",
        )
    ]
