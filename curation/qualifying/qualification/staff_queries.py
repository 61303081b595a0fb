"""Queries about applications for staff: the queue, and what a decision needs."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F

from curation.base.process.lifecycle import ApplicationStage
from curation.joining.people import Qualification, User, people_in_conflict_with
from curation.qualifying.applications.models import Application, ApplicationEvent

A = ApplicationStage
WAY_IN = (A.APPLIED, A.EXAM, A.TRAINING, A.TRIAL, A.QUALIFIED)


def others_of(application: Application) -> list[Application]:
    """Return the same person's other applications, newest first. One query."""
    return list(
        Application.objects.filter(user_id=application.user_id)
        .exclude(pk=application.pk)
        .select_related("domain")
        .order_by("-created_at")
    )


def conflicts_in_domain(application: Application) -> tuple[list[User], int]:
    """Return the experts of the domain who may not judge this person's work because of a conflict.

    Returns:
        Up to ten people, seniors first, and the number of further ones.
    """
    ids = people_in_conflict_with(application.user)
    held = Qualification.objects.filter(
        user__in=ids, domain_id=application.domain_id, active=True
    ).select_related("user")
    people = [row.user for row in held.order_by(F("senior").desc(), "user_id")[:200]]
    return people[:10], max(0, len(people) - 10)


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """A stage of the way in: who ever reached it, who is in it now, and the share that came on.

    `share` is of those who reached the stage before; None for the first, or if nobody did.
    """

    label: Any
    stage: str
    reached: int
    now: int
    share: float | None

    @property
    def bar(self) -> list[tuple[int, str, str]]:
        return [(self.reached, "age-2", "")]


def funnel() -> list[FunnelStep]:
    """Return the stages from application to qualification. Two queries."""
    reached = dict(
        ApplicationEvent.objects.filter(to_stage__in=WAY_IN)
        .order_by()
        .values_list("to_stage")
        .annotate(n=Count("application", distinct=True))
    )
    now = dict(
        Application.objects.filter(stage__in=WAY_IN)
        .order_by()
        .values_list("stage")
        .annotate(n=Count("pk"))
    )
    steps = []
    before: int | None = None
    for stage in WAY_IN:
        # Whoever is in a stage has reached it, also where it was imported without a history.
        n = max(reached.get(stage, 0), now.get(stage, 0))
        share = n / before if before else None
        steps.append(FunnelStep(stage.label, stage, n, now.get(stage, 0), share))
        before = n
    return steps
