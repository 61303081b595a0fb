"""Actions on a place after it is given: opened, handed back, taken back, expired.

A member who gives up a place before opening the task gives up the seat as well. A member who has
read the task keeps the seat, and so cannot judge the same task in another role.
"""

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.signals import place_left
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from curation.joining.people import TIE_FOUND, Qualification, held_under, people_in_conflict_with
from curation.screening.panels.actions import (
    ROLE_OF,
    SWEEP_LIMIT,
    Kind,
    State,
    fill_panel,
    lock_task,
    places_of,
)
from curation.screening.panels.models import PanelPlace, ReferenceCheck
from curation.screening.panels.solves import reset_solve
from curation.tasks.task.models import Seat, Task

log = logging.getLogger(__name__)

REASON_LIMIT = 2000

# Stored in English, and translated for the reader of the history.
NO_MEMBER = gettext_noop("The member's qualification has ended.")


@action("signed_in")
def open_place(*, actor: Any, task: Task) -> PanelPlace | None:
    """Note that the member has opened the task; from here they keep the seat.

    Returns:
        The member's open place, or None.
    """
    place = places_of(task).filter(member=actor, state=State.OPEN).first()
    if place is not None and place.opened_at is None:
        now = timezone.now()
        opened = PanelPlace.objects.filter(pk=place.pk, state=State.OPEN, opened_at__isnull=True)
        if opened.update(opened_at=now):
            place.opened_at = now
    return place


@action("signed_in")
@transaction.atomic
def skip_place(*, actor: Any, task: Task, reason: str) -> PanelPlace:
    """Hand the actor's place back with a reason; the next eligible colleague is drawn.

    Raises:
        BadInput: without a reason.
        Conflict: `place_ended`, the actor has no open place (any more).
    """
    reason = required_reason(reason, limit=REASON_LIMIT)
    task = lock_task(task.pk)
    place = places_of(task).filter(member=actor, state=State.OPEN).first()
    if place is None or not _leave(task, place, State.SKIPPED, actor=actor, reason=reason):
        raise Conflict(
            _("You no longer have a place on this panel, so there is nothing to hand back."),
            code="place_ended",
        )
    return place


@action("task.administer", about="place.task")
@transaction.atomic
def take_back_place(*, actor: Any, place: PanelPlace, reason: str) -> PanelPlace:
    """Take a member's place back with a reason; the next eligible colleague is drawn.

    Raises:
        BadInput: without a reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: the place is not open any more.
    """
    reason = required_reason(reason, limit=REASON_LIMIT)
    task = lock_task(place.task_id)
    if not _leave(task, place, State.SKIPPED, actor=actor, reason=reason):
        raise Conflict(_("This place has ended in the meantime."), code="place_ended")
    return place


def _leave(task: Task, place: PanelPlace, state: str, *, actor: Any, reason: str = "") -> bool:
    """End an open place as `end_place` does; draw a colleague if the panel still needs one."""
    if not end_place(task, place, state, actor=actor, reason=reason):
        return False
    place_left.send(PanelPlace, task=task, place=place)
    fill_panel(task)
    return True


def end_place(task: Task, place: PanelPlace, state: str, *, actor: Any, reason: str = "") -> bool:
    """End an open place; return False if it had ended already. The caller has locked the task.

    The seat is deleted if the member never opened the task. What a checker had written is kept
    with the place and shown to nobody else.
    """
    now = timezone.now()
    mine = PanelPlace.objects.filter(pk=place.pk)
    ended = move(mine, state, reason=storable.clean(reason), closed_at=now)
    if not ended:
        return False
    read = PanelPlace.objects.filter(
        task_id=task.pk, member_id=place.member_id, opened_at__isnull=False
    )
    if not read.exists():
        role = ROLE_OF[PanelPlace.Kind(place.kind)]
        Seat.objects.filter(task_id=task.pk, user_id=place.member_id, role=role).delete()
    if place.kind == Kind.CHECK:
        _reset_check(task, place)
    elif place.kind == Kind.SOLVE and state != State.RELEASED:
        reset_solve(task, place)
    if state != State.RELEASED:
        event = "place_expired" if state == State.EXPIRED else "place_skipped"
        task.note(event, actor=actor, reason=storable.clean(reason), member=place.member_id)
    return True


def _reset_check(task: Task, place: PanelPlace) -> None:
    check = ReferenceCheck.objects.select_for_update().get(
        task_id=task.pk, round=task.screening_round
    )
    PanelPlace.objects.filter(pk=place.pk).update(left_behind=check.answer)
    check.task, check.checker = task, None
    check.answer, check.revision = "", 0
    check.opened_at = check.saved_at = check.answered_at = check.seconds = None
    check.save(
        update_fields=[
            *("checker", "answer", "revision"),
            *("opened_at", "saved_at", "answered_at", "seconds"),
        ]
    )


def refuse_in_conflict(*, actor: Any, task: Task, kind: str) -> None:
    """End the member's place if a conflict with the author has become known since.

    The place ends, and a colleague is drawn, in a transaction of its own before the refusal is
    raised. So call this outside the transaction of the step that is refused.

    Raises:
        Conflict: `place_ended`, there is a conflict of interest.
    """
    with transaction.atomic():
        task = lock_task(task.pk)
        place = places_of(task).filter(member=actor, kind=kind, state=State.OPEN).first()
        if place is None or task.stage != Stage.SCREENING:
            return
        if actor.pk not in people_in_conflict_with(task.author):
            return
        _leave(task, place, State.SKIPPED, actor=None, reason=TIE_FOUND)
    raise Conflict(
        _(
            "Panel members must have no conflict of interest with the author, and one is now "
            "known in your case. So this was not counted, and your place has ended. There is "
            "nothing more for you to do."
        ),
        code="place_ended",
    )


def release_places(task: Task) -> None:
    """End the open places when a screening is decided. The caller has locked the task."""
    for place in places_of(task).filter(state=State.OPEN):
        end_place(task, place, State.RELEASED, actor=None)


def hand_over_places_in_conflict(*, person: Any, author: Any) -> list[Task]:
    """End a person's open places on an author's tasks; draw colleagues. Return the tasks."""
    held = PanelPlace.objects.filter(member=person, state=State.OPEN, task__author=author)
    return [
        place.task
        for place in held.select_related("task").order_by("task_id")
        if _end_and_redraw(place, State.SKIPPED, TIE_FOUND)
    ]


def hand_over_places(ended: Iterable[Qualification]) -> int:
    """End the open places of people whose qualifications ended, and draw colleagues.

    Returns:
        How many places were handed over.
    """
    held = PanelPlace.objects.filter(
        held_under(ended, person="member", domain="task__domain"), state=State.OPEN
    )
    return sum(
        _end_and_redraw(place, State.SKIPPED, NO_MEMBER) for place in held.order_by("task_id", "pk")
    )


@transaction.atomic
def _end_and_redraw(place: PanelPlace, state: str, reason: str = "") -> int:
    task = lock_task(place.task_id)
    if task.stage != Stage.SCREENING or place.round != task.screening_round:
        mine = PanelPlace.objects.filter(pk=place.pk)
        return move(mine, State.RELEASED, closed_at=timezone.now())
    return int(_leave(task, place, state, actor=None, reason=reason))


# --- a periodic job -------------------------------------------------------------------------------
def expire_places(now: datetime | None = None) -> int:
    """End overdue places, and those of members who may no longer sit: a periodic job.

    A vote cast before the job runs counts, even if it is late. Each place ends in a transaction
    of its own: one that fails is logged and tried again with the next sweep.

    Returns:
        How many places ended.
    """
    open_places = PanelPlace.objects.filter(state=State.OPEN)
    qualified = Qualification.objects.filter(
        user=OuterRef("member"), domain=OuterRef("task__domain"), active=True
    )
    overdue = open_places.filter(due_at__lte=now or timezone.now()).order_by("task_id", "id")
    barred = open_places.exclude(Exists(qualified), member__is_active=True).order_by("task_id")
    done = sum(_try_to_end(place, State.EXPIRED) for place in overdue[:SWEEP_LIMIT])
    return done + sum(
        _try_to_end(place, State.SKIPPED, NO_MEMBER) for place in barred[:SWEEP_LIMIT]
    )


def _try_to_end(place: PanelPlace, state: str, reason: str = "") -> int:
    try:
        return _end_and_redraw(place, state, reason)
    except Exception:  # go on with the other places
        log.exception("Place %s could not be ended; the next sweep tries again", place.pk)
        return 0
