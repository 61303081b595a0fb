"""What staff and seniors do in review, and give to the nouns below."""

from collections.abc import Sequence
from typing import Any

from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext_lazy

from curation.base.lists.bulk import register_steps
from curation.base.process import periodic_jobs
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.process.signals import (
    conflict_began,
    qualifications_ended,
    seniority_ended,
    text_amended,
)
from curation.joining.people import Qualification, User
from curation.qualifying.experts import record
from curation.screening.panels.seats import hand_over_places_in_conflict
from curation.staff.pipeline import deadline_in_hand as in_hand
from curation.tasks.amendments.models import Amendment
from curation.tasks.task import holding
from curation.tasks.task.models import Seat, Task
from curation.telling.activity import audit, trail
from curation.telling.search import search
from curation.telling.search.queries import title_or_key
from curation.telling.search.search import Hit, SearchTerms, Source
from review.staff import bulk_steps
from review.staff.amended import follow_amended_text
from review.staff.handover import (
    hand_over_in_conflict,
    hand_over_reviews,
    hand_over_spot_checks,
    replace_all_unqualified_reviewers,
)
from review.staff.held import held, reviewed, rounds, seats
from review.staff.record import facts
from review.staff.trail import AUDIT_SOURCES, review_trail

# Role of a senior -> (stage at which the work is open, route of its page).
WORK = {
    Role.SPOT_CHECKER: (Stage.SPOT_CHECK, "spot-check"),
    Role.DECIDER: (Stage.DECIDING, "decision"),
}


@receiver(qualifications_ended, sender=Qualification, dispatch_uid="review.hand_over")
def hand_over_everything(sender: Any, ended: Sequence[Qualification], actor: Any, **_: Any) -> int:
    """Hand over people's reviews, spot checks and decisions; return how many."""
    return hand_over_reviews(ended) + hand_over_spot_checks(ended, actor=actor)


@receiver(seniority_ended, sender=Qualification, dispatch_uid="review.hand_over_audits")
def hand_over_audits(sender: Any, instance: Qualification, actor: Any, **_: Any) -> int:
    """Hand over a former senior's spot checks and decisions; return how many."""
    return hand_over_spot_checks([instance], actor=actor)


@receiver(conflict_began, sender=User, dispatch_uid="review.keep_apart")
def keep_apart(sender: Any, person: User, author: User, **_: Any) -> list[Task]:
    """Hand over what a person holds on the work of somebody they are in conflict with."""
    places = hand_over_places_in_conflict(person=person, author=author)
    return [*places, *hand_over_in_conflict(person=person, author=author)]


@receiver(text_amended, sender=Task, dispatch_uid="review.follow_text")
def follow_text(sender: Any, instance: Task, amendment: Amendment, **_: Any) -> None:
    """Return a rubric that the amended text affects to its author."""
    follow_amended_text(instance, amendment)


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


periodic_jobs.register(replace_all_unqualified_reviewers)
record.register(facts)
trail.register(review_trail)
audit.register(*AUDIT_SOURCES)
holding.register(held)
holding.register_reviewed(reviewed())
in_hand.register(rounds, seats)
register_steps("tasks", *bulk_steps.STEPS)
search.register(Source("checks", gettext_lazy("Spot checks and decisions"), 12, checks))
