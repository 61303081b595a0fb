"""The amendments that wait for a senior, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from curation.tasks.amendments.queries import to_decide
from curation.tasks.task.queries import domain_name

AT_MOST = 20  # on Home; the list has the others


def waiting(user: Any) -> list[Waiting]:
    """Return the amendments that a senior may decide. One query; none for others."""
    if not user.senior_domain_ids():
        return []
    rows = to_decide(user).order_by("pk")[:AT_MOST]
    return [
        Waiting(
            due=None,
            title=_("Decide on an amendment"),
            detail=_("%(title)s · %(domain)s")
            % {
                "title": row["task__title"] or row["task__key"],
                "domain": domain_name(row, "task__domain__"),
            },
            url=reverse("amendment", args=[row["pk"]]),
            button=_("Read the differences"),
            blocks=True,
            section="spot-checks",
        )
        for row in rows.values(
            "pk", "task__title", "task__key", "task__domain__name", "task__domain__name_zh"
        )
    ]
