"""The work that reviewers and seniors hold: on a task for staff, in hand for deadlines."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import Stage
from curation.base.web.optional_urls import url_or_empty
from curation.joining.people import Qualification
from curation.staff.pipeline.deadline_in_hand import InHand, of_tasks
from curation.tasks.task.holding import Held
from review.rounds.assignment_models import Review, Round
from review.senior_seats.models import SEATS, free_seniors, seniors_with_the_seat, standing_seats


def reviewed() -> Exists:
    """Return the condition that a task has at least one assigned reviewer."""
    return Exists(Review.objects.filter(task=OuterRef("pk"), state=Review.State.ASSIGNED))


def held(task: Any) -> Iterator[Held]:
    """Yield what the task's senior holds, or that no senior can take it.

    Four queries at most while the task waits for a senior, else none.
    """
    role = SEATS.get(Stage(task.stage))
    if role is None:
        return
    what = _("Spot check") if task.stage == Stage.SPOT_CHECK else _("Decision on open lines")
    holders = seniors_with_the_seat(task)
    if not holders:
        if not free_seniors(task).exists():
            yield Held(
                what=what,
                who=_(
                    "no senior of the domain is free: each has another seat on this task or a "
                    "conflict of interest"
                ),
                since=task.stage_since,
                due_at=None,
                url=f"{url_or_empty('staff-people')}?domain={task.domain.key}",
                button=_("Make another expert a senior"),
            )
        return
    seats = task.seats.filter(user__in=holders, role=role).select_related("user")
    for seat in seats:
        yield Held(
            what=what,
            who=seat.user.name_for_staff,
            since=seat.taken_at,
            due_at=None,
            url=url_or_empty("staff-spot-check-release", task.pk),
        )


_PAGES = {Stage.SPOT_CHECK: "spot-check", Stage.DECIDING: "decision"}
_NAMES = {
    Stage.SPOT_CHECK: gettext_lazy("Spot check"),
    Stage.DECIDING: gettext_lazy("Decision on open lines"),
}


def rounds(tasks: Iterable[int] | None) -> Iterator[InHand]:
    """Yield the open rounds of reviewers. One query."""
    rows = Round.objects.filter(
        finished_at__isnull=True,
        review__state=Review.State.ASSIGNED,
        review__task__stage=Stage.IN_REVIEW,
        review__reviewer__is_active=True,
    )
    found = of_tasks(rows, tasks, "review__task").values_list(
        *("pk", "opened_at", "review", "review__reviewer", "review__due_at"),
        *("review__task", "review__task__title", "review__task__key"),
    )
    for pk, opened_at, review, reviewer, due_at, task, title, key in found:
        yield InHand(
            key=f"round-{pk}",
            what=gettext_lazy("Review"),
            task_id=task,
            title=title or key,
            person_id=reviewer,
            page="review",
            page_id=review,
            since=opened_at,
            due_at=due_at,
            extend=partial(_extend_review, review, due_at),
        )


def _extend_review(pk: int, before: datetime, due_at: datetime) -> bool:
    held = Review.objects.filter(pk=pk, state=Review.State.ASSIGNED, due_at=before)
    return bool(held.update(due_at=due_at))


def seats(tasks: Iterable[int] | None) -> Iterator[InHand]:
    """Yield the spot checks and decisions that seniors have taken. One query."""
    senior = Qualification.objects.filter(
        user=OuterRef("user"),
        domain=OuterRef("task__domain"),
        active=True,
        senior=True,
        user__is_active=True,
    )
    found = of_tasks(standing_seats().filter(Exists(senior)), tasks).values_list(
        *("pk", "user", "taken_at", "task", "task__stage", "task__title", "task__key")
    )
    for pk, user, taken_at, task, stage, title, key in found:
        yield InHand(
            key=f"seat-{pk}",
            what=_NAMES[Stage(stage)],
            task_id=task,
            title=title or key,
            person_id=user,
            page=_PAGES[Stage(stage)],
            page_id=task,
            since=taken_at,
        )
