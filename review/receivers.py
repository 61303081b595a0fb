"""A task that enters review gets its reviewers and their rounds, in the same transaction."""

from typing import Any

from curation.lifecycle import Stage
from curation.models import Task
from curation.signals import stage_entered
from review.actions.assignment import begin_review


def connect() -> None:
    """Listen to the lower apps."""
    stage_entered.connect(start_review, sender=Task, dispatch_uid="review.start_review")


def start_review(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    if stage == Stage.IN_REVIEW:
        begin_review(task=instance)
