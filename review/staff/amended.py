"""Review after an amendment of the task's text: the rubric goes back to its author."""

from typing import Any

from django.db.models import F
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.notices.notify import send_notice
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Review, Round
from rubrics.versions.actions import open_version
from rubrics.versions.queries import version_that_counts

# Where the rubric is out of its author's hands, and comes back to them.
WITH_OTHERS = (Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK, Stage.APPROVED)


def follow_amended_text(task: Task, amendment: Amendment) -> None:
    """Return an affected rubric to its author, and tell the reviewers of the new text.

    Open rounds end without counting; their verdicts stay on record, and none is carried over.
    Runs in the transaction of the agreement, which has locked the task.
    """
    if answers_exactly(task):
        return  # its one line is made again; nobody reviews it
    rubric_affected = bool(amendment.rubric_affected)
    reviewing = task.stage in (Stage.IN_REVIEW, Stage.REFINING)
    if rubric_affected and task.stage in WITH_OTHERS:
        _return_to_author(task)
    if reviewing or rubric_affected:
        _tell_reviewers(task, amendment)


def _return_to_author(task: Task) -> None:
    version = version_that_counts(task)
    Round.objects.filter(review__task=task, finished_at__isnull=True).update(
        finished_at=F("opened_at")
    )
    open_version(task=task, actor=None, based_on=version)
    task.advance(
        Stage.REFINING,
        actor=None,
        amendment=True,
        version=version.number if version else 0,
    )


def _tell_reviewers(task: Task, amendment: Amendment) -> None:
    kind = "review_begins_anew" if amendment.rubric_affected else "review_text_amended"
    assigned: Any = Review.objects.filter(task=task, state=Review.State.ASSIGNED)
    for review in assigned.select_related("reviewer"):
        send_notice(
            review.reviewer,
            kind,
            once=f"amendment-{amendment.pk}",
            url=reverse("amendment", args=[amendment.pk]),
            task=str(task),
        )
