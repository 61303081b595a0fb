"""Search sources for reviews and seniors' work. They read titles, no names."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.tasks.task.models import Seat
from curation.telling.search.queries import title_or_key
from curation.telling.search.search import Hit, SearchTerms, Source
from review.rounds.assignment_models import Review

# Role of a senior -> (stage at which the work is open, route of its page).
WORK = {
    Role.SPOT_CHECKER: (Stage.SPOT_CHECK, "spot-check"),
    Role.DECIDER: (Stage.DECIDING, "decision"),
}


def reviews(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find a reviewer's own reviews, including finished ones."""
    domains = user.qualified_domain_ids()
    if not domains:
        return []
    rows = (
        Review.objects.filter(reviewer=user, state=Review.State.ASSIGNED, task__domain__in=domains)
        .exclude(task__stage__in=[Stage.WITHDRAWN, Stage.DISCARDED])
        .filter(title_or_key(words, "task__"))
        .order_by("-due_at", "-pk")
        .values("pk", "task__title", "task__key", "task__language", "task__stage")
    )
    return [
        Hit(
            row["task__title"] or row["task__key"],
            reverse("review", args=[row["pk"]]),
            _("Review") + " · " + str(Stage(row["task__stage"]).label),
            row["task__language"],
        )
        for row in rows[:most]
    ]


def checks(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find the spot checks and decisions a senior holds."""
    domains = user.senior_domain_ids()
    if not domains:
        return []
    rows = (
        Seat.objects.filter(user=user, role__in=WORK, task__domain__in=domains)
        .filter(title_or_key(words, "task__"))
        .order_by("-taken_at", "-pk")
        .values("role", "task_id", "task__title", "task__key", "task__language", "task__stage")
    )
    found = [row for row in rows if row["task__stage"] == WORK[Role(row["role"])][0]]
    return [
        Hit(
            row["task__title"] or row["task__key"],
            reverse(WORK[Role(row["role"])][1], args=[row["task_id"]]),
            str(Role(row["role"]).label),
            row["task__language"],
        )
        for row in found[:most]
    ]


SOURCES = (
    Source("reviews", gettext_lazy("Reviews"), 11, reviews),
    Source("checks", gettext_lazy("Spot checks and decisions"), 12, checks),
)
