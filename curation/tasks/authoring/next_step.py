"""What a person does next with a task, by the seat they hold."""

from typing import Any

from django.utils.translation import gettext as _

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.optional_urls import url_or_empty
from curation.tasks.task.models import Task
from curation.tasks.task.queries import seat_role, writes_its_rubric

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
