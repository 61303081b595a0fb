"""Queries about panels for staff: places, states, ages, eligible members, load per domain."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import TIE_FOUND, Qualification, User, people_in_conflict_with
from curation.screening.panels.actions import (
    check_is_free,
    count_per_task,
    in_draw_order,
    places_of,
    with_free_places,
    with_panel_counts,
)
from curation.screening.panels.models import (
    PanelPlace,
    ReferenceCheck,
    Screening,
    ScreeningVote,
    Solve,
)
from curation.screening.panels.seats import NO_MEMBER
from curation.screening.panels.solves import free_solves, solved_before
from curation.tasks.task.models import Task
from curation.tasks.task.probe_findings import Finding

Kind, State = PanelPlace.Kind, PanelPlace.State
MACHINE_REASONS = frozenset((NO_MEMBER, TIE_FOUND))  # recorded by the machine, so translated


@dataclass(frozen=True)
class PlaceRow:
    """A place with the member's name, for staff."""

    pk: int
    task_id: int
    round: int
    kind: str
    kind_label: str
    name: str
    pseudonym: str
    member_id: int
    state: str
    state_label: str
    reason: str
    given_at: datetime
    due_at: datetime
    opened_at: datetime | None
    closed_at: datetime | None
    late: bool

    @property
    def open(self) -> bool:
        return self.state == State.OPEN


@dataclass(frozen=True)
class PanelRow:
    """A task in screening with its open and used places."""

    pk: int
    title: str
    domain: str
    since: datetime
    votes: int
    quorum: int
    free: int
    finding: str
    finding_label: str
    check: str  # "", "free", "held" or "right"
    solves: tuple[int, int]  # with a verdict, all
    places: tuple[PlaceRow, ...]


@dataclass(frozen=True)
class DomainLoad:
    """The load of a domain's panel. `idle`: the domain has neither screenings nor experts."""

    domain: Domain
    screenings: int
    free: int
    held: int
    late: int
    experts: int
    oldest: datetime | None

    @property
    def idle(self) -> bool:
        return not (self.screenings or self.experts)


# --- the overview -----------------------------------------------------------------------
def tasks_in_screening(domain: Domain | None, show: str) -> QuerySet[Any]:
    """Return the tasks in screening as rows, the longest waiting first.

    Args:
        show: "" for all, "free" (a place nobody holds), "late" (an open place is overdue),
            "suspect" or "easy" (the finding).
    """
    now = {"task": OuterRef("pk"), "round": OuterRef("screening_round")}
    screening = Screening.objects.filter(**now)
    tasks = with_panel_counts(Task.objects.filter(stage=Stage.SCREENING)).annotate(
        finding=Subquery(screening.values("finding")[:1]),
        verdict=Subquery(ReferenceCheck.objects.filter(**now).values("verdict")[:1]),
        checker=Subquery(ReferenceCheck.objects.filter(**now).values("checker")[:1]),
        n_solves=count_per_task(Solve.objects.filter(**now)),
        n_solved=count_per_task(Solve.objects.filter(**now).exclude(verdict="")),
    )
    if domain is not None:
        tasks = tasks.filter(domain=domain)
    if show == "free":
        tasks = with_free_places(tasks)
    elif show == "late":
        overdue = PanelPlace.objects.filter(**now, state=State.OPEN, due_at__lte=timezone.now())
        tasks = tasks.filter(Exists(overdue))
    elif show in (Finding.SUSPECT, Finding.EASY):
        tasks = tasks.filter(finding=show)
    return tasks.order_by("stage_since", "id").values(
        *("id", "title", "key", "stage_since", "screening_round", "n_votes", "n_held", "n_quorum"),
        *("finding", "verdict", "checker", "domain__name", "domain__name_zh"),
        *("n_solves", "n_solved"),
    )


def panel_rows(rows: Sequence[dict[str, Any]]) -> list[PanelRow]:
    """Add the places to the rows of a page. One query, however many rows."""
    rounds = {row["id"]: row["screening_round"] for row in rows}
    places: dict[int, list[PlaceRow]] = {pk: [] for pk in rounds}
    for place in place_rows(PanelPlace.objects.filter(task__in=list(rounds))):
        if place.round == rounds[place.task_id]:
            places[place.task_id].append(place)
    return [
        PanelRow(
            pk=row["id"],
            title=row["title"] or row["key"],
            domain=str(Domain(name=row["domain__name"], name_zh=row["domain__name_zh"] or "")),
            since=row["stage_since"],
            votes=row["n_votes"],
            quorum=row["n_quorum"],
            free=max(0, row["n_quorum"] - row["n_votes"] - row["n_held"]),
            finding=row["finding"] or Finding.UNKNOWN,
            finding_label=str(Finding(row["finding"] or "unknown").label),
            check=_check(row),
            solves=(row["n_solved"], row["n_solves"]),
            places=tuple(places[row["id"]]),
        )
        for row in rows
    ]


def _check(row: dict[str, Any]) -> str:
    if row["verdict"] is None:
        return ""
    if row["verdict"]:
        return str(row["verdict"])
    return "held" if row["checker"] else "free"


def place_rows(places: QuerySet[PanelPlace]) -> list[PlaceRow]:
    """Return places with their members, newest round first, then in the order given. One query."""
    now = timezone.now()
    return [
        PlaceRow(
            pk=place.pk,
            task_id=place.task_id,
            round=place.round,
            kind=place.kind,
            kind_label=str(place.get_kind_display()),
            name=place.member.name_for_staff,
            pseudonym=place.member.pseudonym,
            member_id=place.member_id,
            state=place.state,
            state_label=str(place.get_state_display()),
            reason=_(place.reason) if place.reason in MACHINE_REASONS else place.reason,
            given_at=place.given_at,
            due_at=place.due_at,
            opened_at=place.opened_at,
            closed_at=place.closed_at,
            late=place.state == State.OPEN and place.due_at <= now,
        )
        for place in places.select_related("member").order_by("-round", "given_at", "id")
    ]


def domain_loads() -> list[DomainLoad]:
    """Return the load of every domain that is not external. Two queries, however many domains."""
    running = with_panel_counts(Task.objects.filter(stage=Stage.SCREENING)).values(
        "domain_id", "stage_since", "n_votes", "n_held", "n_quorum"
    )
    by_domain: dict[int, list[dict[str, Any]]] = {}
    for row in running:
        by_domain.setdefault(row["domain_id"], []).append(row)
    held = _in_each_domain(PanelPlace.objects.filter(state=State.OPEN), "task__domain")
    late = _in_each_domain(
        PanelPlace.objects.filter(state=State.OPEN, due_at__lte=timezone.now()), "task__domain"
    )
    experts = _in_each_domain(
        Qualification.objects.filter(active=True, user__is_active=True), "domain"
    )
    domains = Domain.objects.filter(external=False).annotate(
        n_held=held, n_late=late, n_experts=experts
    )
    return [
        DomainLoad(
            domain=domain,
            screenings=len(by_domain.get(domain.pk, [])),
            free=sum(
                max(0, row["n_quorum"] - row["n_votes"] - row["n_held"])
                for row in by_domain.get(domain.pk, [])
            ),
            held=domain.n_held,
            late=domain.n_late,
            experts=domain.n_experts,
            oldest=min((row["stage_since"] for row in by_domain.get(domain.pk, [])), default=None),
        )
        for domain in domains
    ]


def _in_each_domain(rows: QuerySet[Any], path: str) -> Coalesce:
    """Return the number of rows of each domain, as a column for a query of domains."""
    counted = rows.filter(**{path: OuterRef("pk")}).order_by().values(path).annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)


# --- one panel -----------------------------------------------------------------------
@dataclass(frozen=True)
class FreePlaces:
    """The free kinds of places, and the people who may get one, in the order of the draw."""

    kinds: tuple[str, ...]
    people: tuple[tuple[int, str, int], ...]  # id, name, open places
    verifiers: tuple[tuple[int, str], ...] = ()  # id, name: solved an earlier submission


def free_places_of(task: Task, votes_free: int) -> FreePlaces:
    """Return the free places of a task and who may get them.

    Args:
        votes_free: number of free places for votes.
    """
    kinds = [Kind.VOTE] if votes_free else []
    if check_is_free(task):
        kinds.append(Kind.CHECK)
    verifiers: tuple[tuple[int, str], ...] = ()
    if free_solves(task).exists():
        kinds.append(Kind.SOLVE)
        verifiers = tuple((person.pk, person.name_for_staff) for person in _verifiers(task))
    people = tuple((person.pk, person.name_for_staff, load) for person, load in in_draw_order(task))
    return FreePlaces(tuple(kinds), people, verifiers)


def _verifiers(task: Task) -> QuerySet[User]:
    """Select who solved an earlier submission, may still sit, and was not asked for this one."""
    asked = places_of(task).values("member")
    qualified = Qualification.objects.filter(
        user=OuterRef("pk"), domain=task.domain_id, active=True
    )
    return (
        solved_before(task)
        .filter(Exists(qualified), is_active=True)
        .exclude(pk__in=asked)
        .exclude(pk__in=people_in_conflict_with(task.author))
        .order_by("pk")
    )


def votes_on(task: Task) -> list[ScreeningVote]:
    """Return every vote of every round, with its member. One query."""
    return list(
        ScreeningVote.objects.filter(task=task)
        .select_related("member")
        .order_by("round", "at", "id")
    )


@dataclass(frozen=True)
class SolveRow:
    """A solve as staff read it.

    Attributes:
        state: in a word: free, given, solving, handed in, or the verdict.
        unaided: whether it was solved without the steps; None before that is known.
    """

    round: int
    number: int
    who: str
    state: str
    answer: str
    agrees: bool | None
    unaided: bool | None
    seconds: int | None
    remarks: str


def solves_for_staff(task: Any) -> list[SolveRow]:
    """Return every solve of a task, the newest submission first. One query."""
    rows = Solve.objects.filter(task_id=task.pk).select_related("solver")
    return [
        SolveRow(
            round=solve.round,
            number=solve.number,
            who=(solve.solver.display_name or solve.solver.email) if solve.solver else "",
            state=solve_state(solve),
            answer=solve.answer,
            agrees=solve.agrees,
            unaided=solve.unaided if solve.ended_at else None,
            seconds=solve.seconds,
            remarks=solve.remarks,
        )
        for solve in rows.order_by("-round", "number")
    ]


def solve_state(solve: Solve) -> str:
    """Return where a solve stands, in a word or two of the reader's language."""
    if solve.verdict:
        return str(solve.get_verdict_display())
    if solve.ended_at:
        return _("compares")
    if solve.started_at:
        return _("is solving")
    return _("not opened yet") if solve.solver_id else _("nobody yet")
