"""Moves the events of the sample programme into the past, as if they had taken weeks."""

from datetime import timedelta
from typing import Any

from django.db.models import F

from curation.base.process.lifecycle import Stage
from curation.joining.people import Qualification
from curation.qualifying.applications.models import Application, ApplicationEvent
from curation.screening.panels.models import PanelPlace, ReferenceCheck, Screening, ScreeningVote
from curation.tasks.task.models import Task, TaskEvent
from judge.scoring.anchors.models import Anchor, AnchorEvent
from judge.scoring.sheets.models import Sheet
from review.rounds.assignment_models import Comment, LineReview, Review, Round
from review.rounds.verdict_steps import VerdictStep
from review.senior_seats.models import SpotCheck
from rubrics.marks.models import Waiver
from rubrics.versions.models import LineChange, RubricVersion

DAYS_PER_STEP = 2
RECENT = {  # days since the last step of a task that is still under way
    Stage.DRAFT: 1,
    Stage.SCREENING: 3,
    Stage.REFINING: 2,
    Stage.IN_REVIEW: 2,
    Stage.DECIDING: 4,
    Stage.SPOT_CHECK: 4,
}


def spread_task(task: Task, order: int) -> None:
    """Spread a task's events over days, the last one a few days ago.

    Args:
        order: the task's number in the programme, which varies the dates.
    """
    if task.stage in (Stage.SUBMITTED, Stage.DRAFTING):
        return  # the machine is about to work on it
    events = list(
        TaskEvent.objects.filter(task=task)
        .order_by("at", "id")
        .values_list("pk", "from_stage", "to_stage", "data")
    )
    last_age = RECENT.get(Stage(task.stage), 9 + order)
    ages: dict[int, timedelta] = {}
    age = timedelta(days=last_age, hours=order % 5 + 1)
    for pk, *_move in reversed(events):
        ages[pk] = age
        age += timedelta(days=DAYS_PER_STEP, hours=3)
    for pk, days in ages.items():
        TaskEvent._base_manager.filter(pk=pk).update(at=F("at") - days)
    first, last = ages[events[0][0]], ages[events[-1][0]]
    Task.objects.filter(pk=task.pk).update(
        created_at=F("created_at") - first,
        updated_at=F("updated_at") - last,
        stage_since=F("stage_since") - last,
    )
    decided = [
        ages[pk]
        for pk, before, after, _data in events
        if before == Stage.SCREENING and after != before
    ]
    PanelPlace.objects.filter(task=task).update(
        given_at=F("given_at") - last, due_at=F("due_at") - last
    )
    Screening.objects.filter(task=task).update(opened_at=F("opened_at") - last)
    ReferenceCheck.objects.filter(task=task).update(created_at=F("created_at") - last)
    if decided:
        ScreeningVote.objects.filter(task=task).update(at=F("at") - decided[0])
        PanelPlace.objects.filter(task=task, closed_at__isnull=False).update(
            closed_at=F("closed_at") - decided[0]
        )
    review_age = last + timedelta(days=DAYS_PER_STEP)
    RubricVersion.objects.filter(task=task).update(
        created_at=F("created_at") - last, saved_at=F("saved_at") - last
    )
    RubricVersion.objects.filter(task=task, frozen_at__isnull=False).update(
        frozen_at=F("frozen_at") - last
    )
    Review.objects.filter(task=task).update(
        assigned_at=F("assigned_at") - review_age, due_at=F("due_at") - last
    )
    Round.objects.filter(review__task=task).update(opened_at=F("opened_at") - review_age)
    Round.objects.filter(review__task=task, finished_at__isnull=False).update(
        finished_at=F("finished_at") - last
    )
    LineReview.objects.filter(round__review__task=task).update(at=F("at") - last)
    VerdictStep._base_manager.filter(round__review__task=task).update(at=F("at") - last)
    Comment._base_manager.filter(task=task).update(at=F("at") - last)
    LineChange._base_manager.filter(version__task=task).update(at=F("at") - last)
    Waiver._base_manager.filter(version__task=task).update(at=F("at") - last)
    SpotCheck.objects.filter(task=task).update(at=F("at") - last)
    for pk, before, after, data in events:
        _shift_rows_of_event(task, before, after, data, ages[pk] - last)


def _shift_rows_of_event(
    task: Task, before: str, after: str, data: dict[str, Any], more: timedelta
) -> None:
    """Move the rows that one event wrote from the task's last event back to that event.

    Args:
        more: how much older the event is than the task's last one.
    """
    steps: list[Any] = []
    if before == Stage.DRAFTING and after == Stage.REFINING:
        drafts = RubricVersion.objects.filter(task=task, origin=RubricVersion.Origin.DRAFT)
        drafts.update(created_at=F("created_at") - more)
    if after == Stage.IN_REVIEW and "version" in data:
        sent = RubricVersion.objects.filter(task=task, number=data["version"])
        sent.update(frozen_at=F("frozen_at") - more)
        steps = [
            LineChange._base_manager.filter(version__in=sent),
            Waiver._base_manager.filter(version__in=sent),
            Comment._base_manager.filter(  # the author's replies to the round before
                task=task, side=Comment.Side.AUTHOR, criterion__version__number=data["version"] - 1
            ),
        ]
    if data.get("event") == "round_finished":
        over = Round.objects.filter(
            review__task=task, review__number=data["reviewer"], number=data["round"]
        )
        over.update(opened_at=F("opened_at") - more, finished_at=F("finished_at") - more)
        steps = [
            LineReview.objects.filter(round__in=over),
            VerdictStep._base_manager.filter(round__in=over),
            Comment._base_manager.filter(round__in=over),
        ]
    for rows in steps:
        rows.update(at=F("at") - more)


def spread_anchor(anchor: Anchor, order: int) -> None:
    """Date a validated anchor some days back, an open one a day back."""
    age = timedelta(days=1 if anchor.stage != "validated" else 3 + order % 4, hours=order + 1)
    AnchorEvent._base_manager.filter(anchor=anchor).update(at=F("at") - age)
    Anchor.objects.filter(pk=anchor.pk).update(
        created_at=F("created_at") - age, stage_since=F("stage_since") - age
    )
    for name in ("opened_at", "saved_at", "submitted_at"):
        Sheet.objects.filter(response__task=anchor.task, **{f"{name}__isnull": False}).update(
            **{name: F(name) - age}
        )


def spread_application(application: Application, order: int) -> None:
    """Spread an application's steps three days apart."""
    events = list(ApplicationEvent.objects.filter(application=application).order_by("at", "id"))
    for back, event in enumerate(reversed(events)):
        ApplicationEvent._base_manager.filter(pk=event.pk).update(
            at=F("at") - timedelta(days=1 + 3 * back, hours=order + 1)
        )
    # A decided trial was submitted before the last step, an undecided one after it.
    for trial in application.trials.filter(submitted_at__isnull=False):
        age = timedelta(days=2 if trial.decided_at else 0, hours=order + 6)
        rows = application.trials.filter(pk=trial.pk)
        rows.update(saved_at=F("saved_at") - age, submitted_at=F("submitted_at") - age)
    decided = timedelta(days=1, hours=order + 1)
    application.trials.filter(decided_at__isnull=False).update(decided_at=F("decided_at") - decided)
    oldest = timedelta(days=1 + 3 * len(events))
    Application.objects.filter(pk=application.pk).update(
        created_at=F("created_at") - oldest,
        consented_at=F("consented_at") - oldest,
        stage_since=F("stage_since") - timedelta(days=1, hours=order + 1),
    )


def age_qualifications() -> None:
    """Date the qualifications of the founding experts 120 days back."""
    Qualification.objects.filter(user__applications__isnull=True).update(
        since=F("since") - timedelta(days=120)
    )


VERDICT_TAKES = timedelta(seconds=90)


def spread_verdicts() -> None:
    """Give each verdict of a review the time it takes: they were all given in one moment."""
    for current in Round.objects.select_related("review"):
        given = list(current.lines.filter(carried_over=False).order_by("-pk"))
        for n, line in enumerate(given):
            steps = VerdictStep._base_manager.filter(round=current, criterion=line.criterion_id)
            steps.update(at=F("at") - n * VERDICT_TAKES)
            line.at -= n * VERDICT_TAKES
        LineReview.objects.bulk_update(given, ["at"])
        if given and current.opened_at > given[-1].at:
            begun = given[-1].at - VERDICT_TAKES
            Round.objects.filter(pk=current.pk).update(opened_at=begun)
            Review.objects.filter(pk=current.review_id, assigned_at__gt=begun).update(
                assigned_at=begun
            )
