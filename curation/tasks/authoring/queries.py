"""Queries about the tasks a person may see, about their record, and what they do next."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.optional_urls import url_or_empty
from curation.tasks.task import fields
from curation.tasks.task.models import Seat, Task
from curation.tasks.task.queries import S, seat_role, writes_its_rubric
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


# --- what a person does next with a task ---------------------------------------------------------
CLOSED = (Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK, Stage.APPROVED)  # the rubric


def next_step(user: Any, thing: Task) -> tuple[str, str] | None:
    """Return (label, address) of what this person does next with the task; None if nothing."""
    seat, stage, pk = seat_role(user, thing), thing.stage, thing.pk
    steps: dict[tuple[str | None, str], tuple[str, str]] = {
        (Role.AUTHOR, Stage.DRAFT): (_("Go on writing"), url_or_empty("task-edit", pk)),
        (Role.AUTHOR, Stage.REFINING): (
            _("Open the rubric") if writes_its_rubric(user, thing) else _("Read the rubric"),
            url_or_empty("rubric", pk),
        ),
        (Role.RUBRIC_AUTHOR, Stage.REFINING): (_("Open the rubric"), url_or_empty("rubric", pk)),
        **{
            (role, closed): (_("Read the rubric"), url_or_empty("rubric", pk))
            for closed in CLOSED
            for role in (Role.AUTHOR, Role.RUBRIC_AUTHOR)
        },
        (Role.SCREENER, Stage.SCREENING): (_("Read and vote"), url_or_empty("screening-vote", pk)),
        (Role.REVIEWER, Stage.IN_REVIEW): (_("Go to your reviews"), url_or_empty("reviews")),
        (Role.DECIDER, Stage.DECIDING): (_("Decide the open lines"), url_or_empty("decision", pk)),
        (Role.SPOT_CHECKER, Stage.SPOT_CHECK): (
            _("Open the spot check"),
            url_or_empty("spot-check", pk),
        ),
        (Role.SCORER, Stage.APPROVED): (_("Go to your sheets"), url_or_empty("scoring")),
        (Role.META_EVALUATOR, Stage.APPROVED): (_("Go to scoring"), url_or_empty("scoring")),
    }
    label, url = steps.get((seat, stage), ("", ""))
    if not url and allows(user, "task.oversee", thing):
        label, url = _("Open the staff's page"), url_or_empty("staff-task", pk)
    return (label, url) if url else None
