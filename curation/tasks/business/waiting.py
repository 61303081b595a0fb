"""The texts of collected tasks that wait for a second person, for Home of staff."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from curation.tasks.business.queries import to_confirm

AT_MOST = 20  # on Home


def waiting(user: Any) -> list[Waiting]:
    """Return the checks that a member of staff may confirm. One query; none for others."""
    if not user.has_duty("editing"):
        return []
    rows = to_confirm(user).order_by("pk").values_list("task_id", "task__title", "task__key")
    return [
        Waiting(
            due=None,
            title=_("Confirm a de-identification"),
            detail=title or key,
            url=reverse("business-task", args=[pk]),
            button=_("Read the text"),
            blocks=True,
            section="work-maps",
        )
        for pk, title, key in rows[:AT_MOST]
    ]
