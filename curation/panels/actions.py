"""Places on a panel: drawn, taken from the pool, or given by staff. A place brings its seat."""

import hashlib
import logging
from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.applications.conflicts import conflicts_of, people_in_conflict_with
from curation.panels.models import PanelPlace, ReferenceCheck, Screening, ScreeningVote
from curation.panels.policy import screening_of
from curation.people.models import Qualification, User
from curation.process.lifecycle import Stage
from curation.process.roles import Role
from curation.tasks.fields import TEXT_PARTS
from curation.tasks.models import Seat, Task
from curation.tasks.seats import take_seat
from curation.web.refusals import Conflict, Denied

log = logging.getLogger(__name__)

SWEEP = 200  # tasks or places looked at in one run of a chore
Kind, State = PanelPlace.Kind, PanelPlace.State
ROLE_OF = {Kind.VOTE: Role.SCREENER, Kind.CHECK: Role.CHECKER}


def locked(pk: int) -> Task:
    """A task, locked until the transaction ends, without its texts.

    Whoever works on a panel needs none of them here, and a checker must not be near one of them.
    """
    return Task.objects.select_for_update(of=("self",)).defer(*TEXT_PARTS).get(pk=pk)


# --- who, and how many ----------------------------------------------------------------------------
def is_tied(decisions: list[str]) -> bool:
    """Whether no decision has more votes than every other."""
    ranked = Counter(decisions).most_common(2)
    return len(ranked) > 1 and ranked[0][1] == ranked[1][1]


def free_places(task: Task, screening: Screening) -> int:
    """Votes still wanted for which nobody holds a place. Two queries."""
    votes = ScreeningVote.objects.filter(task_id=task.pk, round=task.screening_round).count()
    held = places_of(task).filter(kind=Kind.VOTE, state=State.OPEN).count()
    return max(0, screening.quorum - votes - held)


def places_of(task: Task) -> Any:
    """The places of a task's present screening."""
    return PanelPlace.objects.filter(task_id=task.pk, round=task.screening_round)


def eligible(task: Task, ties: Collection[int] | None = None) -> Any:
    """Who may be given a place: a queryset of User with `load`, the places they hold open.

    Qualified in the domain, active, not the author, without a seat on the task, without a
    conflict with its author, and not yet asked in this screening.

    Args:
        ties: ids of everybody in conflict with the author, where they were found before.
    """
    if ties is None:
        ties = people_in_conflict_with(task.author)
    asked = PanelPlace.objects.filter(
        task_id=task.pk, round=task.screening_round, member=OuterRef("pk")
    )
    return (
        User.objects.filter(
            is_active=True,
            qualifications__domain_id=task.domain_id,
            qualifications__active=True,
        )
        .exclude(pk=task.author_id or 0)
        .exclude(pk__in=ties)
        .exclude(pk__in=Seat.objects.filter(task_id=task.pk).values("user_id"))
        .exclude(Exists(asked))
        .annotate(
            load=Count("panel_places", filter=Q(panel_places__state=State.OPEN), distinct=True)
        )
    )


def in_draw_order(task: Task) -> list[tuple[User, int]]:
    """Everybody eligible with their open places: the least loaded first, equals by a hash.

    The hash is of the screening and the person, so that nobody is always first and an audit can
    repeat the order.
    """

    def in_line(found: tuple[User, int]) -> tuple[int, str]:
        mark = f"{task.key}|{task.screening_round}|{found[0].pk}"
        return found[1], hashlib.sha256(mark.encode()).hexdigest()

    return sorted(((person, person.load) for person in eligible(task)), key=in_line)


# --- giving ---------------------------------------------------------------------------------------
@transaction.atomic
def fill_panel(task: Task) -> int:
    """Draw members for every free place of a screening; the check of a suspect task first.

    Returns:
        how many places were given. 0 where the rules leave the panel to volunteers, and where
        nobody is eligible: then the task waits in the pool, and staff see it there.
    """
    task = locked(task.pk)
    if task.stage != Stage.SCREENING:
        return 0
    screening = screening_of(task)
    if not screening.draw:
        return 0
    wanted = [Kind.CHECK] if check_is_free(task) else []
    wanted += [Kind.VOTE] * free_places(task, screening)
    if not wanted:
        return 0
    given = 0
    for kind, (member, _load) in zip(wanted, in_draw_order(task), strict=False):
        give_place(task, screening, member, kind, actor=None)
        given += 1
    return given


def check_is_free(task: Task) -> bool:
    """Whether the reference answer waits for a checker."""
    return ReferenceCheck.objects.filter(
        task_id=task.pk, round=task.screening_round, verdict="", checker__isnull=True
    ).exists()


def give_place(
    task: Task, screening: Screening, member: Any, kind: str, *, actor: Any
) -> PanelPlace:
    """Give a member a place on a task's panel and tell them."""
    take_seat(task=task, user=member, role=ROLE_OF[PanelPlace.Kind(kind)])
    place = PanelPlace.objects.create(
        task=task,
        round=task.screening_round,
        kind=kind,
        member=member,
        due_at=timezone.now() + timedelta(days=screening.days),
    )
    if kind == Kind.CHECK:
        check = ReferenceCheck.objects.select_for_update().get(
            task_id=task.pk, round=task.screening_round
        )
        check.task, check.checker = task, member
        check.save(update_fields=["checker"])
    mine = actor is not None and actor.pk == member.pk
    event = {Kind.VOTE: "panel_joined" if mine else "place_given", Kind.CHECK: "check_given"}
    task.note(event[PanelPlace.Kind(kind)], actor=actor, member=member.pk)
    return place


@action("signed_in")
@transaction.atomic
def join_panel(*, actor: Any, task: Task, kind: str = Kind.VOTE) -> Task:
    """Take a place from the pool.

    Raises:
        Denied: not qualified in the domain, the author, or tied to the author.
        Conflict: `enough_members`, `seat_taken`, `place_ended` (asked already in this screening),
            or the task is not being screened.
    """
    may_sit(actor, task)
    task = locked(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(_("This task is not being screened now."), code="wrong_stage")
    if _holds(task, actor, kind):
        return task  # a doubled click
    _claim(task, actor, kind, by=actor)
    return task


@action("task.administer", about="task")
@transaction.atomic
def assign_place(*, actor: Any, task: Task, member: Any, kind: str = Kind.VOTE) -> Task:
    """Staff give a place to somebody they choose. Raises as `join_panel`, and Denied where they
    wrote the task themselves."""
    may_sit(member, task)
    task = locked(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(_("This task is not being screened now."), code="wrong_stage")
    _claim(task, member, kind, by=actor)
    return task


def may_sit(person: Any, task: Task) -> None:
    """Raises Denied where a person may not judge this task's author in this domain."""
    if (
        task.author_id == person.pk
        or not person.is_active
        or task.domain_id not in person.qualified_domain_ids()
        or person.pk in people_in_conflict_with(task.author)
    ):
        raise Denied(
            _("A panel is made of other experts of the same domain who have no tie to the author."),
            code="not_eligible",
        )


def _holds(task: Task, person: Any, kind: str) -> bool:
    return places_of(task).filter(member=person, kind=kind, state=State.OPEN).exists()


def _claim(task: Task, member: Any, kind: str, *, by: Any) -> None:
    screening = screening_of(task)
    if places_of(task).filter(member=member).exists():
        raise Conflict(
            _("This screening has asked the same person before. Choose somebody else."),
            code="place_ended",
        )
    free = check_is_free(task) if kind == Kind.CHECK else free_places(task, screening) > 0
    if not free:
        raise Conflict(
            _("A colleague took the last place a moment ago. Nothing is left to do here."),
            code="enough_members",
        )
    give_place(task, screening, member, kind, actor=by)


@transaction.atomic
def invite_back(task: Task) -> int:
    """Give the members of a task's last screening their places again: they know the task.

    Returns how many still may sit. Runs when a returned task comes to its panel again.
    """
    screening = screening_of(task)
    before = ScreeningVote.objects.filter(task_id=task.pk, round=task.screening_round - 1)
    sitting = (
        User.objects.filter(pk__in=before.values("member_id"), is_active=True)
        .filter(seats__task_id=task.pk, seats__role=Role.SCREENER)
        .exclude(pk__in=people_in_conflict_with(task.author))
        .filter(
            Exists(
                Qualification.objects.filter(
                    user=OuterRef("pk"), domain_id=task.domain_id, active=True
                )
            )
        )
        .order_by("pk")[: screening.quorum]
    )
    members = list(sitting)
    for member in members:
        give_place(task, screening, member, Kind.VOTE, actor=None)
    return len(members)


# --- the pool -------------------------------------------------------------------------------------
def fill_panels() -> int:
    """A chore: draw members for places nobody holds. What a new expert can take is given now.

    Tasks whose rules leave the panel to volunteers are passed over. Where more tasks wait than one
    sweep looks at, it looks at others each time, so that none waits behind those nobody may take.
    """
    tasks = Task.objects.filter(stage=Stage.SCREENING).defer(*TEXT_PARTS).select_related("author")
    by_itself = Screening.objects.filter(
        task=OuterRef("pk"), round=OuterRef("screening_round"), draw=False
    )
    waiting = list(with_free_places(tasks).exclude(Exists(by_itself)).order_by("?")[:SWEEP])
    ties = conflicts_of([task.author for task in waiting if task.author is not None])
    given = 0
    for task in sorted(waiting, key=lambda task: (task.stage_since, task.pk)):
        try:
            # Found once for all; whoever is then given a place is looked at anew.
            if eligible(task, ties[task.author_id or 0]).exists():
                given += fill_panel(task)
        except Exception:  # one that cannot be filled must not keep the others waiting
            log.exception("Task %s got no panel; the next sweep tries again", task.pk)
    return given


def with_free_places(tasks: Any) -> Any:
    """Those of some tasks in screening that want a vote or a check nobody has a place for."""
    return standing(tasks).filter(Q(n_quorum__gt=F("n_votes") + F("n_held")) | free_check())


def standing(tasks: Any) -> Any:
    """Tasks with `n_votes`, `n_held` (open places for votes) and `n_quorum` of their screening."""
    now = {"task": OuterRef("pk"), "round": OuterRef("screening_round")}
    quorum = Screening.objects.filter(**now).values("quorum")[:1]
    return tasks.annotate(
        n_votes=counted(ScreeningVote.objects.filter(**now)),
        n_held=counted(PanelPlace.objects.filter(**now, state=State.OPEN, kind=Kind.VOTE)),
        n_quorum=Coalesce(Subquery(quorum, output_field=IntegerField()), 1),
    )


def free_check() -> Any:
    """A condition on tasks: the reference answer waits for a checker."""
    return Exists(
        ReferenceCheck.objects.filter(
            task=OuterRef("pk"),
            round=OuterRef("screening_round"),
            verdict="",
            checker__isnull=True,
        )
    )


def counted(rows: Any) -> Coalesce:
    """The number of rows that belong to a task, as a column of a query on tasks."""
    numbers = rows.order_by().values("task").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(numbers, output_field=IntegerField()), 0)
