"""Finished work that waits for approval of its honorarium, for the Home of administrators."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.waiting import Waiting
from curation.staff.honoraria.models import Honorarium
from curation.staff.honoraria.queries import readable_by


def waiting(user: Any) -> list[Waiting]:
    """Return one item that counts the work of others. One query; none without the duty."""
    if not user.has_duty("administration"):
        return []
    waits = Honorarium.objects.filter(state=Honorarium.State.WAITING)
    pieces = readable_by(waits, user).exclude(person=user)
    number = pieces.count()
    if not number:
        return []
    return [
        Waiting(
            due=None,
            title=ngettext(
                "%(n)s piece of finished work waits for approval",
                "%(n)s pieces of finished work wait for approval",
                number,
            )
            % {"n": f"{number:,}"},
            detail=_("Approved work goes into the next payroll file"),
            url=f"{reverse('staff-honoraria')}?state={Honorarium.State.WAITING}",
            button=_("Open the list"),
            section="staff-people",
        )
    ]
