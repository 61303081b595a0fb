"""Moves the sample's story into the past: it was acted in a second, and should read like weeks."""

from datetime import timedelta

from django.db.models import F

from curation.lifecycle import Stage
from curation.models import (
    Application,
    ApplicationEvent,
    Qualification,
    ScreeningVote,
    Task,
    TaskEvent,
)
from judge.models import Anchor, AnchorEvent, Sheet
from review.models import Comment, LineReview, Review, Round, SpotCheck
from rubrics.models import RubricVersion

DAYS_PER_STEP = 2
RECENT = {  # days since the last step, for what is still under way
    Stage.DRAFT: 1,
    Stage.SCREENING: 3,
    Stage.REFINING: 2,
    Stage.IN_REVIEW: 2,
    Stage.SPOT_CHECK: 4,
}


def spread_task(task: Task, order: int) -> None:
    """Put a task's events some days apart, the last one a few days ago.

    Args:
        order: its place in the programme; later tasks happened later.
    """
    if task.stage in (Stage.SUBMITTED, Stage.DRAFTING):
        return  # with the machine this very minute
    events = list(
        TaskEvent.objects.filter(task=task)
        .order_by("at", "id")
        .values_list("pk", "from_stage", "to_stage")
    )
    last_age = RECENT.get(Stage(task.stage), 9 + order)
    ages: dict[int, timedelta] = {}
    age = timedelta(days=last_age, hours=order % 5 + 1)
    for pk, _before, _after in reversed(events):
        ages[pk] = age
        age += timedelta(days=DAYS_PER_STEP, hours=3)
    for pk, days in ages.items():
        TaskEvent.objects.filter(pk=pk).update(at=F("at") - days)
    first, last = ages[events[0][0]], ages[events[-1][0]]
    Task.objects.filter(pk=task.pk).update(
        created_at=F("created_at") - first,
        updated_at=F("updated_at") - last,
        stage_since=F("stage_since") - last,
    )
    decided = [
        ages[pk] for pk, before, after in events if before == Stage.SCREENING and after != before
    ]
    if decided:
        ScreeningVote.objects.filter(task=task).update(at=F("at") - decided[0])
    review_age = last + timedelta(days=DAYS_PER_STEP)
    RubricVersion.objects.filter(task=task).update(
        created_at=F("created_at") - review_age, saved_at=F("saved_at") - review_age
    )
    RubricVersion.objects.filter(task=task, frozen_at__isnull=False).update(
        frozen_at=F("frozen_at") - review_age
    )
    RubricVersion.objects.filter(task=task, frozen_at__isnull=True).update(
        saved_at=F("saved_at") + review_age - last
    )
    Review.objects.filter(task=task).update(
        assigned_at=F("assigned_at") - review_age, due_at=F("due_at") - last
    )
    Round.objects.filter(review__task=task).update(opened_at=F("opened_at") - review_age)
    Round.objects.filter(review__task=task, finished_at__isnull=False).update(
        finished_at=F("finished_at") - last
    )
    LineReview.objects.filter(round__review__task=task).update(at=F("at") - last)
    Comment.objects.filter(task=task).update(at=F("at") - last)
    SpotCheck.objects.filter(task=task).update(at=F("at") - last)


def spread_anchor(anchor: Anchor, order: int) -> None:
    """An anchor's events: a validated one some days ago, an open one since yesterday."""
    age = timedelta(days=1 if anchor.stage != "validated" else 3 + order % 4, hours=order + 1)
    AnchorEvent.objects.filter(anchor=anchor).update(at=F("at") - age)
    Anchor.objects.filter(pk=anchor.pk).update(
        created_at=F("created_at") - age, stage_since=F("stage_since") - age
    )
    for name in ("opened_at", "saved_at", "submitted_at"):
        Sheet.objects.filter(response__task=anchor.task, **{f"{name}__isnull": False}).update(
            **{name: F(name) - age}
        )


def spread_application(application: Application, order: int) -> None:
    """An application's steps, three days apart."""
    events = list(ApplicationEvent.objects.filter(application=application).order_by("at", "id"))
    for back, event in enumerate(reversed(events)):
        ApplicationEvent.objects.filter(pk=event.pk).update(
            at=F("at") - timedelta(days=1 + 3 * back, hours=order + 1)
        )
    oldest = timedelta(days=1 + 3 * len(events))
    Application.objects.filter(pk=application.pk).update(
        created_at=F("created_at") - oldest,
        stage_since=F("stage_since") - timedelta(days=1, hours=order + 1),
    )


def age_qualifications() -> None:
    """The founding experts have been there since the summer."""
    Qualification.objects.filter(user__applications__isnull=True).update(
        since=F("since") - timedelta(days=120)
    )
