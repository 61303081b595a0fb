"""Actions that give places on a panel: drawn, taken from the pool, or given by staff.

A place comes with its seat on the task.
"""

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

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.refusals import Conflict, Denied
from curation.joining.people import Qualification, User, conflicts_of, people_in_conflict_with
from curation.screening.panels.models import PanelPlace, ReferenceCheck, Screening, ScreeningVote
from curation.screening.panels.policy import screening_of
from curation.screening.panels.solves import free_solves, give_solve, has_free_solve, solved_before
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Seat, Task

log = logging.getLogger(__name__)

SWEEP_LIMIT = 200  # tasks or places per run of a periodic job
Kind, State = PanelPlace.Kind, PanelPlace.State
ROLE_OF = {Kind.VOTE: Role.SCREENER, Kind.CHECK: Role.CHECKER, Kind.SOLVE: Role.SOLVER}


def lock_task(pk: int) -> Task:
    """Lock a task until the transaction ends, and return it without its texts.

    The actions on panels need no text, and a checker must not come near the reference answer.
    """
    return Task.objects.select_for_update(of=("self",)).defer(*TEXT_PARTS).get(pk=pk)


# --- who, and how many ----------------------------------------------------------------------------
def is_tied(decisions: list[str]) -> bool:
    """Return whether no decision has more votes than every other."""
    ranked = Counter(decisions).most_common(2)
    return len(ranked) > 1 and ranked[0][1] == ranked[1][1]


def free_places(task: Task, screening: Screening) -> int:
    """Return how many votes are missing for which nobody holds a place. Two queries."""
    votes = ScreeningVote.objects.filter(task_id=task.pk, round=task.screening_round).count()
    held = places_of(task).filter(kind=Kind.VOTE, state=State.OPEN).count()
    return max(0, screening.quorum - votes - held)


def places_of(task: Task) -> Any:
    """Return the places of a task's current screening."""
    return PanelPlace.objects.filter(task_id=task.pk, round=task.screening_round)


def eligible_members(task: Task, in_conflict: Collection[int] | None = None) -> Any:
    """Return the users who may get a place, with `load`, the number of their open places.

    They are active, qualified in the domain, hold no seat on the task, have no conflict with its
    author and were not asked yet in this screening.

    Args:
        in_conflict: ids of everybody in conflict with the author, if known already.
    """
    if in_conflict is None:
        in_conflict = people_in_conflict_with(task.author)
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
        .exclude(pk__in=in_conflict)
        .exclude(pk__in=Seat.objects.filter(task_id=task.pk).values("user_id"))
        .exclude(Exists(asked))
        .annotate(
            load=Count("panel_places", filter=Q(panel_places__state=State.OPEN), distinct=True)
        )
    )


def in_draw_order(task: Task) -> list[tuple[User, int]]:
    """Return the eligible members with their number of open places, in the order of the draw.

    The least loaded come first. Ties are broken by a hash of the screening and the person, so that
    nobody is always first and an audit can reproduce the order.
    """

    def in_line(found: tuple[User, int]) -> tuple[int, str]:
        mark = f"{task.key}|{task.screening_round}|{found[0].pk}"
        return found[1], hashlib.sha256(mark.encode()).hexdigest()

    return sorted(((person, person.load) for person in eligible_members(task)), key=in_line)


# --- giving ---------------------------------------------------------------------------------------
@transaction.atomic
def fill_panel(task: Task) -> int:
    """Draw members for every free place of a screening; checks and solves first.

    Returns:
        How many places were given. 0 if the rules leave the panel to volunteers, or if nobody is
        eligible: the task then waits in the pool, where staff see it.
    """
    task = lock_task(task.pk)
    if task.stage != Stage.SCREENING:
        return 0
    screening = screening_of(task)
    if not screening.draw:
        return 0
    wanted = [Kind.CHECK] if check_is_free(task) else []
    wanted += [Kind.SOLVE] * free_solves(task).count()
    wanted += [Kind.VOTE] * free_places(task, screening)
    if not wanted:
        return 0
    given = 0
    for kind, (member, _load) in zip(wanted, in_draw_order(task), strict=False):
        give_place(task, screening, member, kind, actor=None)
        given += 1
    return given


def check_is_free(task: Task) -> bool:
    """Return whether the reference answer waits for a checker."""
    return ReferenceCheck.objects.filter(
        task_id=task.pk, round=task.screening_round, verdict="", checker__isnull=True
    ).exists()


def give_place(
    task: Task, screening: Screening, member: Any, kind: str, *, actor: Any
) -> PanelPlace:
    """Give a member a place on a task's panel, with its seat and a notice."""
    knows = kind == Kind.SOLVE and solved_before(task).filter(pk=member.pk).exists()
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
    if kind == Kind.SOLVE:
        give_solve(task, member, knows=knows)
    mine = actor is not None and actor.pk == member.pk
    event = {
        Kind.VOTE: "panel_joined" if mine else "place_given",
        Kind.CHECK: "check_given",
        Kind.SOLVE: "solve_given",
    }
    task.note(event[PanelPlace.Kind(kind)], actor=actor, member=member.pk)
    return place


@action("signed_in")
@transaction.atomic
def join_panel(*, actor: Any, task: Task, kind: str = Kind.VOTE) -> Task:
    """Take a free place from the pool.

    Raises:
        Denied: not qualified in the domain, the author, or tied to the author.
        Conflict: `enough_members`; `seat_taken`; `place_ended`, asked before in this screening;
            `wrong_stage`, the task is not being screened.
    """
    check_may_sit(actor, task)
    task = lock_task(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(_("This task is not being screened now."), code="wrong_stage")
    if _holds(task, actor, kind):
        return task  # a double click
    _take_free_place(task, actor, kind, by=actor)
    return task


@action("task.administer", about="task")
@transaction.atomic
def assign_place(*, actor: Any, task: Task, member: Any, kind: str = Kind.VOTE) -> Task:
    """Give a place to a member whom staff choose.

    Raises:
        Denied: as `join_panel`; or `own_task`, the member of staff wrote the task.
        Conflict: as `join_panel`.
    """
    check_may_sit(member, task)
    task = lock_task(task.pk)
    if task.stage != Stage.SCREENING:
        raise Conflict(_("This task is not being screened now."), code="wrong_stage")
    _take_free_place(task, member, kind, by=actor)
    return task


def check_may_sit(person: Any, task: Task) -> None:
    """Refuse a person who may not sit on a panel for this task.

    Raises:
        Denied: `not_eligible`.
    """
    if (
        task.author_id == person.pk
        or not person.is_active
        or task.domain_id not in person.qualified_domain_ids()
        or person.pk in people_in_conflict_with(task.author)
    ):
        raise Denied(
            _(
                "Panel members are other experts in the same domain who have no conflict of "
                "interest with the author."
            ),
            code="not_eligible",
        )


def _holds(task: Task, person: Any, kind: str) -> bool:
    return places_of(task).filter(member=person, kind=kind, state=State.OPEN).exists()


def _take_free_place(task: Task, member: Any, kind: str, *, by: Any) -> None:
    screening = screening_of(task)
    if places_of(task).filter(member=member).exists():
        raise Conflict(
            _("This person has already been asked in this screening. Choose somebody else."),
            code="place_ended",
        )
    free = {
        Kind.VOTE: lambda: free_places(task, screening) > 0,
        Kind.CHECK: lambda: check_is_free(task),
        Kind.SOLVE: lambda: free_solves(task).exists(),
    }[Kind(kind)]
    if not free():
        raise Conflict(
            _(
                "A colleague took the last place a moment ago. There is nothing left for you to "
                "do here."
            ),
            code="enough_members",
        )
    give_place(task, screening, member, kind, actor=by)


@transaction.atomic
def give_places_again(task: Task) -> int:
    """Give the voters of a returned task's previous screening their places again.

    They know the task. Returns how many places were given.
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
    """Draw members for the free places of all screenings: a periodic job.

    It fills places for which somebody became eligible, such as a new expert. It skips tasks whose
    rules leave the panel to volunteers. If more tasks wait than SWEEP_LIMIT, it picks at random,
    so that tasks without eligible members do not block the others.

    Returns:
        How many places were given.
    """
    tasks = Task.objects.filter(stage=Stage.SCREENING).defer(*TEXT_PARTS).select_related("author")
    by_itself = Screening.objects.filter(
        task=OuterRef("pk"), round=OuterRef("screening_round"), draw=False
    )
    waiting = list(with_free_places(tasks).exclude(Exists(by_itself)).order_by("?")[:SWEEP_LIMIT])
    conflicts = conflicts_of([task.author for task in waiting if task.author is not None])
    given = 0
    for task in sorted(waiting, key=lambda task: (task.stage_since, task.pk)):
        try:
            # The conflicts were read once for all tasks; `fill_panel` reads them again.
            if eligible_members(task, conflicts[task.author_id or 0]).exists():
                given += fill_panel(task)
        except Exception:  # go on with the other panels
            log.exception("Task %s got no panel; the next sweep tries again", task.pk)
    return given


def with_free_places(tasks: Any) -> Any:
    """Filter tasks in screening: a vote, check or solve for which nobody holds a place."""
    return with_panel_counts(tasks).filter(
        Q(n_quorum__gt=F("n_votes") + F("n_held")) | has_free_check() | has_free_solve()
    )


def with_panel_counts(tasks: Any) -> Any:
    """Annotate tasks with `n_votes`, `n_held` (open places for votes) and `n_quorum`.

    All three are of the current screening.
    """
    now = {"task": OuterRef("pk"), "round": OuterRef("screening_round")}
    quorum = Screening.objects.filter(**now).values("quorum")[:1]
    return tasks.annotate(
        n_votes=count_per_task(ScreeningVote.objects.filter(**now)),
        n_held=count_per_task(PanelPlace.objects.filter(**now, state=State.OPEN, kind=Kind.VOTE)),
        n_quorum=Coalesce(Subquery(quorum, output_field=IntegerField()), 1),
    )


def has_free_check() -> Any:
    """Return a condition on tasks: the reference answer waits for a checker."""
    return Exists(
        ReferenceCheck.objects.filter(
            task=OuterRef("pk"),
            round=OuterRef("screening_round"),
            verdict="",
            checker__isnull=True,
        )
    )


def count_per_task(rows: Any) -> Coalesce:
    """Return the number of rows that belong to a task, as a column for a query of tasks."""
    numbers = rows.order_by().values("task").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(numbers, output_field=IntegerField()), 0)
