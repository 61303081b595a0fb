"""The work in hand that review knows: open rounds of reviewers, the seats of seniors."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Stage
from curation.joining.people.models import Qualification
from curation.staff.pipeline.deadline_in_hand import InHand, of_tasks
from review.rounds.assignment_models import Review, Round
from review.senior_seats.queries import standing_seats

_PAGES = {Stage.SPOT_CHECK: "spot-check", Stage.DECIDING: "decision"}
_NAMES = {Stage.SPOT_CHECK: _("Spot check"), Stage.DECIDING: _("Decision on open lines")}


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
            what=_("Review"),
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
