"""The rubrics without a writer, for the Home of staff."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from curation.tasks.task.models import Origin
from rubrics.handover.models import without_a_writer

AT_MOST = 20  # on Home


def waiting(user: Any) -> list[Waiting]:
    """Return the rubrics that staff may hand over. One query; none for others."""
    if not user.has_duty("editing"):
        return []
    rows = without_a_writer().exclude(author=user).exclude(rubric_author=user)
    return [
        Waiting(
            due=None,
            title=_("Give a rubric to another expert"),
            detail=(
                _("%(title)s · it came from business and has no author")
                if origin == Origin.COLLECTED
                else _("%(title)s · its author asks for help, or is suspended")
            )
            % {"title": title or key},
            url=reverse("staff-rubric-author", args=[pk]),
            button=_("Choose an expert"),
            blocks=True,
            section="staff-tasks",
        )
        for pk, title, key, origin in rows.values_list("pk", "title", "key", "origin")[:AT_MOST]
    ]
