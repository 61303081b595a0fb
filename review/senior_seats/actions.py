"""A senior's seat on a task: taking it and releasing it."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Seat, Task
from curation.tasks.task.queries import kept_off
from review.senior_seats.models import SEATS, SpotCheckRelease, released, seniors_with_the_seat


@transaction.atomic
def take_as_senior(*, actor: Any, task: Task, stage: str) -> Task:
    """Take the senior's seat on a task that waits for one at this stage.

    Raises:
        Denied: not a senior of the domain, or in conflict with the author.
        Conflict: the person has another seat, a colleague took this one, or the task is at
            another stage.
    """
    if task.domain_id not in actor.senior_domain_ids() or actor.pk in kept_off(task):
        raise Denied(
            _(
                "Only a senior of the domain who has no conflict of interest with the author can "
                "do this."
            ),
            code="not_eligible",
        )
    locked = Task.objects.select_for_update().get(pk=task.pk)
    if locked.stage != stage:
        raise Conflict(
            _("This task is not waiting for a spot check.")
            if stage == Stage.SPOT_CHECK
            else _("This task is not waiting for a senior's decision."),
            code="wrong_stage",
        )
    if seniors_with_the_seat(locked) - {actor.pk}:
        raise Conflict(_("A colleague took this a moment ago."), code="seat_taken")
    seat = take_seat(task=task, user=actor, role=SEATS[Stage(stage)])
    # A seat that was released is made newer than its release.
    Seat.objects.filter(released(), pk=seat.pk).update(taken_at=timezone.now())
    return task


@action("review.administer", about="task")
@transaction.atomic
def release(*, actor: Any, task: Task, senior: Any, reason: str) -> None:
    """Release a senior's spot check or decision, so that another senior can take it. For staff.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `wrong_stage`, this senior does not hold it now.
    """
    said = required_reason(reason, _("Say in a sentence why you take it back."))
    lock(task)
    if senior.pk not in seniors_with_the_seat(task):
        raise Conflict(_("No senior has this task now."), code="wrong_stage")
    record_release(actor=actor, task=task, senior=senior, said=said)


def record_release(*, actor: Any, task: Task, senior: Any, said: str) -> None:
    """Store that a senior no longer holds the task. The caller has locked the task."""
    deciding = task.stage == Stage.DECIDING
    SpotCheckRelease.objects.create(task=task, senior=senior, released_by=actor, reason=said)
    event = "decision_released" if deciding else "spot_check_released"
    task.note(event, actor=actor, reason=said, senior=senior.pk)


def lock(task: Task) -> None:
    """Lock the task and reload its stage, so that concurrent steps run one after the other."""
    task.refresh_from_db(fields=["stage"], from_queryset=Task.objects.select_for_update())
