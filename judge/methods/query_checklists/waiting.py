"""Proposed checklists that wait for a person to read them, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.waiting import Waiting
from curation.tasks.skills.queries import tasks_to_label
from judge.methods.query_checklists.models import QueryChecklist


def waiting(user: Any) -> list[Waiting]:
    """Return one item with the number of proposals that the person may put in use.

    One query; none for others.
    """
    if not user.does_editing and not user.senior_domain_ids():
        return []
    number = QueryChecklist.objects.filter(
        state=QueryChecklist.State.PROPOSED,
        task__in=tasks_to_label(user, to_change=True).values("pk"),
    ).count()
    if not number:
        return []
    return [
        Waiting(
            due=None,
            title=ngettext(
                "%(n)s skill checklist waits to be read",
                "%(n)s skill checklists wait to be read",
                number,
            )
            % {"n": f"{number:,}"},
            detail=_("The responses to a task wait until somebody has read its checklist"),
            url=f"{reverse('query-checklists')}?show=waiting",
            button=_("Read them"),
            section="labels",
        )
    ]
