"""Receivers of signals of the lower apps: review begins, standing ends, a text or name changes."""

from collections.abc import Sequence
from typing import Any

from curation.base.process.lifecycle import Stage
from curation.base.process.signals import (
    conflict_began,
    name_removed,
    qualifications_ended,
    seniority_ended,
    stage_entered,
    text_amended,
)
from curation.joining.people import Qualification, User
from curation.screening.panels.seats import hand_over_places_in_conflict
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.models import Task
from review.conflicts.actions import keep_colleagues_apart, remove_names
from review.rounds.assignment_actions import begin_review
from review.staff.amended import follow_amended_text
from review.staff.handover import (
    hand_over_in_conflict,
    hand_over_reviews,
    hand_over_spot_checks,
)


def connect() -> None:
    """Connect the receivers. They run in the sender's transaction."""
    stage_entered.connect(start_review, sender=Task, dispatch_uid="review.start_review")
    qualifications_ended.connect(
        hand_over_everything, sender=Qualification, dispatch_uid="review.hand_over"
    )
    seniority_ended.connect(
        hand_over_audits, sender=Qualification, dispatch_uid="review.hand_over_audits"
    )
    conflict_began.connect(keep_apart, sender=User, dispatch_uid="review.keep_apart")
    name_removed.connect(remove_declared_names, sender=User, dispatch_uid="review.remove_names")
    text_amended.connect(follow_text, sender=Task, dispatch_uid="review.follow_text")


def start_review(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    if stage == Stage.IN_REVIEW:
        begin_review(task=instance)


def hand_over_everything(sender: Any, ended: Sequence[Qualification], actor: Any, **_: Any) -> int:
    """Hand over people's reviews, spot checks and decisions; return how many."""
    return hand_over_reviews(ended) + hand_over_spot_checks(ended, actor=actor)


def hand_over_audits(sender: Any, instance: Qualification, actor: Any, **_: Any) -> int:
    """Hand over a former senior's spot checks and decisions; return how many."""
    return hand_over_spot_checks([instance], actor=actor)


def keep_apart(sender: Any, person: User, author: User, **_: Any) -> list[Task]:
    """Hand over what a person holds on the work of somebody they are in conflict with."""
    places = hand_over_places_in_conflict(person=person, author=author)
    return [*places, *hand_over_in_conflict(person=person, author=author)]


def remove_declared_names(
    sender: Any, instance: User, addresses: list[str], actor: Any, **_: Any
) -> None:
    """Remove the names from declared conflicts of interest, and keep former colleagues apart."""
    keep_colleagues_apart(instance, actor=actor)
    remove_names(instance, addresses)


def follow_text(sender: Any, instance: Task, amendment: Amendment, **_: Any) -> None:
    """Return a rubric that the amended text affects to its author."""
    follow_amended_text(instance, amendment)
