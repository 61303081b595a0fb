"""Places on a panel, from opening the task to the end: handed back, taken back, expired.

Whoever leaves a place before they have opened the task leaves the seat as well; who has read it
keeps the seat, and so cannot judge the same task elsewhere.
"""

import logging
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.access.action import action
from curation.applications.conflicts import people_in_conflict_with
from curation.panels.actions import (
    ROLE_OF,
    SWEEP,
    Kind,
    State,
    fill_panel,
    locked,
    places_of,
)
from curation.panels.models import PanelPlace, ReferenceCheck
from curation.people.models import Qualification
from curation.process.lifecycle import Stage
from curation.process.states import move
from curation.tasks.models import Seat, Task
from curation.text import storable
from curation.web.reasons import required_reason
from curation.web.refusals import Conflict

log = logging.getLogger(__name__)

REASON_LIMIT = 2000

# Stored in English; whoever reads the history reads it in their language.
TIE_FOUND = gettext_noop("A tie to the author has been found since.")
NO_MEMBER = gettext_noop("The member's qualification has ended.")


@action("signed_in")
def open_place(*, actor: Any, task: Task) -> PanelPlace | None:
    """Note that the member has the task on the screen; from here the seat stays theirs.

    Returns the place, or None if none of theirs is open.
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
    """Hand one's place back with a reason; the next eligible colleague is drawn.

    Raises:
        BadInput: without a reason.
        Conflict: no place of theirs is open (any more).
    """
    reason = required_reason(reason, limit=REASON_LIMIT)
    task = locked(task.pk)
    place = places_of(task).filter(member=actor, state=State.OPEN).first()
    if place is None or not end_place(task, place, State.SKIPPED, actor=actor, reason=reason):
        raise Conflict(
            _("You hold no place on this panel any more, so there is nothing to hand back."),
            code="place_ended",
        )
    fill_panel(task)
    return place


@action("task.administer", about="place.task")
@transaction.atomic
def take_back(*, actor: Any, place: PanelPlace, reason: str) -> PanelPlace:
    """Staff take a place back, with a reason, and the next eligible colleague is drawn.

    Raises:
        BadInput: without a reason.
        Denied: `own_task`, the member of staff wrote it.
        Conflict: the place is not open any more.
    """
    reason = required_reason(reason, limit=REASON_LIMIT)
    task = locked(place.task_id)
    if not end_place(task, place, State.SKIPPED, actor=actor, reason=reason):
        raise Conflict(_("This place has ended in the meantime."), code="place_ended")
    fill_panel(task)
    return place


def end_place(task: Task, place: PanelPlace, state: str, *, actor: Any, reason: str = "") -> bool:
    """End an open place; the task is locked. False if it had ended already.

    A seat goes with the place if the member never opened the task. What a checker had written is
    kept with the place and shown to nobody else.
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
        _empty_check(task, place)
    if state != State.RELEASED:
        event = "place_expired" if state == State.EXPIRED else "place_skipped"
        task.note(event, actor=actor, reason=storable.clean(reason), member=place.member_id)
    return True


def _empty_check(task: Task, place: PanelPlace) -> None:
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


def refuse_tied(*, actor: Any, task: Task, kind: str) -> None:
    """End the member's place if a tie to the author has arisen since it was given.

    It is over, and the place with a colleague, before the refusal is raised: call this outside
    the transaction of the step that is refused.

    Raises:
        Conflict: `place_ended`, where there is a tie.
    """
    with transaction.atomic():
        task = locked(task.pk)
        place = places_of(task).filter(member=actor, kind=kind, state=State.OPEN).first()
        if place is None or task.stage != Stage.SCREENING:
            return
        if actor.pk not in people_in_conflict_with(task.author):
            return
        if end_place(task, place, State.SKIPPED, actor=None, reason=TIE_FOUND):
            fill_panel(task)
    raise Conflict(
        _(
            "A panel is made of experts without a tie to the author, and by now a tie is known. "
            "So this was not counted, and your place has ended. You need do nothing more."
        ),
        code="place_ended",
    )


def release_places(task: Task) -> None:
    """End what is still open when a screening is decided. The task is locked."""
    for place in places_of(task).filter(state=State.OPEN):
        end_place(task, place, State.RELEASED, actor=None)


def hand_over(*, user: Any, domain_id: int, reason: str = "") -> int:
    """End a person's open places in a domain and draw colleagues: their standing there ended.

    Returns how many places were handed over.
    """
    return sum(
        _end_one(place, State.SKIPPED, reason or NO_MEMBER)
        for place in PanelPlace.objects.filter(
            member=user, state=State.OPEN, task__domain_id=domain_id
        ).order_by("task_id")
    )


@transaction.atomic
def _end_one(place: PanelPlace, state: str, reason: str = "") -> int:
    task = locked(place.task_id)
    if task.stage != Stage.SCREENING or place.round != task.screening_round:
        mine = PanelPlace.objects.filter(pk=place.pk)
        return move(mine, State.RELEASED, closed_at=timezone.now())
    if not end_place(task, place, state, actor=None, reason=reason):
        return 0
    fill_panel(task)
    return 1


# --- a chore --------------------------------------------------------------------------------------
def expire_places(now: datetime | None = None) -> int:
    """A chore: end the places whose date has passed, or whose member may no longer sit.

    A vote cast before the chore comes counts, late or not. Each place ends by itself: one that
    fails is logged and tried again with the next sweep.
    """
    open_places = PanelPlace.objects.filter(state=State.OPEN)
    qualified = Qualification.objects.filter(
        user=OuterRef("member"), domain=OuterRef("task__domain"), active=True
    )
    overdue = open_places.filter(due_at__lte=now or timezone.now()).order_by("task_id", "id")
    barred = open_places.exclude(Exists(qualified), member__is_active=True).order_by("task_id")
    done = sum(_try_to_end(place, State.EXPIRED) for place in overdue[:SWEEP])
    return done + sum(_try_to_end(place, State.SKIPPED, NO_MEMBER) for place in barred[:SWEEP])


def _try_to_end(place: PanelPlace, state: str, reason: str = "") -> int:
    try:
        return _end_one(place, state, reason)
    except Exception:  # one that cannot end must not keep the others waiting
        log.exception("Place %s could not be ended; the next sweep tries again", place.pk)
        return 0
