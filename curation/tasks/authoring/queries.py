"""Queries about the tasks a person may see, and about their record."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from curation.base.process.roles import Role
from curation.tasks.task import fields
from curation.tasks.task.models import Seat, Task
from curation.tasks.task.queries import S
from curation.tasks.task.task_value import value_sentence


# --- lists ---------------------------------------------------------------------------
def visible_to(user: Any) -> QuerySet[Task]:
    """Return the tasks whose own page a person may see, in agreement with `task.view`.

    Staff see all, others their own tasks and those on which they hold a seat. Left out are the
    tasks a panel member reads on the panel's pages only: those of a checker or solver, those a
    screener has not opened yet, and returned drafts.
    """
    if user.is_staff:
        return Task.objects.all()
    own = Task.objects.filter(author=user).order_by().values("pk")
    unopened = user.panel_places.filter(
        task=OuterRef("task"), state=user.panel_places.model.State.OPEN, opened_at__isnull=True
    )
    seats = (
        Seat.objects.filter(user=user)
        .exclude(role__in=(Role.CHECKER, Role.SOLVER))
        .exclude(Q(role=Role.SCREENER) & (Q(task__stage=S.DRAFT) | Exists(unopened)))
        .order_by()
        .values("task_id")
    )
    return Task.objects.filter(pk__in=own.union(seats))  # an OR would scan the whole table


# --- the record ---------------------------------------------------------------------------
def record_of(user: Any) -> dict[str, QuerySet[Any]]:
    """Return what a person has done with tasks, as querysets to be counted."""
    own = Task.objects.filter(author=user)
    return {
        "approved": own.filter(stage=S.APPROVED),
        "submitted": own.filter(screening_round__gt=0),
        "screened": user.screening_votes.all(),
        "slots_granted": user.slot_grants.all(),
    }


def facts_with_value(thing: Any) -> list[tuple[str, str]]:
    """Return (label, words) of what is shown of a task besides its texts."""
    rate = getattr(thing, "hourly_rate", None)
    value = value_sentence(thing.minutes, thing.rate_band, rate)  # names the minutes and the rate
    others = fields.facts_of(thing, without=("minutes", "rate_band") if value else ())
    return [(_("Value"), value)] * bool(value) + list(others)
