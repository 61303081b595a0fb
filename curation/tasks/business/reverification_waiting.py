"""The dynamic answers that wait for an expert, for Home."""

from typing import Any

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.business.reverification_queries import to_take
from curation.tasks.task.queries import domain_name

AT_MOST = 5  # on Home; the list has the others
State = Reverification.State


def waiting(user: Any) -> list[Waiting]:
    """Return the answers that an expert verifies, then those they may take. One query."""
    if not user.qualified_domain_ids():
        return []
    mine = Q(expert=user, state__in=(State.TAKEN, State.AMENDING))
    rows = (
        Reverification.objects.filter(mine | Q(pk__in=to_take(user).values("pk")))
        .order_by(F("expert").asc(nulls_last=True), "task__valid_until", "pk")
        .values(
            *("pk", "expert", "task__title", "task__key"),
            *("task__domain__name", "task__domain__name_zh"),
        )
    )
    return [
        _item(row, _("Go on") if row["expert"] else _("Read what is asked"), bool(row["expert"]))
        for row in rows[:AT_MOST]
    ]


def _item(row: Any, button: str, blocks: bool) -> Waiting:
    return Waiting(
        due=None,
        title=_("Verify a dynamic answer again"),
        detail=_("%(title)s · %(domain)s")
        % {
            "title": row["task__title"] or row["task__key"],
            "domain": domain_name(row, "task__domain__"),
        },
        url=reverse("reverification", args=[row["pk"]]),
        button=button,
        blocks=blocks,
        later=not blocks,
        section="screening",
    )
