"""Second looks that wait: for those who are asked, and for staff who close them. For Home."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from curation.screening.solving.models import SecondLook, SecondOpinion
from curation.tasks.task.queries import domain_name

AT_MOST = 20  # on Home
_COLUMNS = ("task__title", "task__key", "task__domain__name", "task__domain__name_zh")


def waiting(user: Any) -> list[Waiting]:
    """Return second looks that a person has to answer, or that staff can close. Two queries."""
    found = []
    if user.qualified_domain_ids():
        asked = SecondOpinion.objects.filter(
            person=user, verdict="", look__state=SecondLook.State.OPEN
        ).order_by("pk")
        columns = ("look_id", *(f"look__{column}" for column in _COLUMNS))
        for row in asked.values(*columns)[:AT_MOST]:
            plain = {name.removeprefix("look__"): value for name, value in row.items()}
            found.append(
                _item(
                    plain,
                    _("Look at an exact answer again"),
                    reverse("second-look", args=[row["look_id"]]),
                    _("Open the second look"),
                    "screening",
                )
            )
    if user.has_duty("editing"):
        left = SecondOpinion.objects.filter(look=OuterRef("pk"), verdict="")
        ready = SecondLook.objects.filter(~Exists(left), state=SecondLook.State.OPEN).exclude(
            task__author=user
        )
        for row in ready.order_by("pk").values("pk", *_COLUMNS)[:AT_MOST]:
            found.append(
                _item(
                    row,
                    _("Close a second look"),
                    reverse("staff-second-look", args=[row["pk"]]),
                    _("Read the opinions"),
                    "staff-screening",
                )
            )
    return found


def _item(row: dict[str, Any], title: str, url: str, button: str, section: str) -> Waiting:
    return Waiting(
        due=None,
        title=title,
        detail=_("%(title)s · %(domain)s")
        % {
            "title": row["task__title"] or row["task__key"],
            "domain": domain_name(row, "task__domain__"),
        },
        url=url,
        button=button,
        blocks=True,
        section=section,
    )
