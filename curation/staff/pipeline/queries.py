"""Queries of the pipeline: where tasks wait and for how long. A fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import Count, F, Max, Min, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import LATE_DAYS, TASK, Stage
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification
from curation.staff.pipeline.bottlenecks import Bottleneck, StageWaits, bottlenecks
from curation.tasks.task.models import THROUGH_THE_PROCESS, Task, TaskEvent

S = Stage
AGES = (3, 7, LATE_DAYS)
OPEN_STAGES = TASK.under_way
DAY = 86_400.0  # seconds


@dataclass(frozen=True)
class StageRow:
    """A stage of the funnel.

    Attributes:
        ages: number of tasks in the stage for up to 3, 4 to 7, 8 to 14 and more than 14 days.
        median, percentile_90: seconds that the finished stays of the period lasted; None without
            any.
        oldest: (domain, days) of the task that has waited longest; None if none waits for a day.
        moved_on: share of the period's moves that went forward; None without any move.
    """

    stage: str
    label: Any
    who: Any
    count: int
    ages: tuple[int, int, int, int]
    median: float | None
    percentile_90: float | None
    oldest: tuple[str, int] | None
    moved_on: float | None

    @property
    def late(self) -> int:
        return self.ages[-1]

    @property
    def segments(self) -> list[tuple[int, str, str]]:
        """The segments of the bar: count, kind and words of each age."""
        words = (_("up to 3 days"), _("4 to 7"), _("8 to 14"), _("more than 14"))
        kinds = ("age-1", "age-2", "age-3", "wait")
        return list(zip(self.ages, kinds, words, strict=True))


@dataclass(frozen=True)
class DomainRow:
    """The results of a domain.

    Attributes:
        days: median days from the submission to the approval; None without any.
        drawn, closed: number of spot checks drawn, of reviews closed.
    """

    domain: Domain
    approved: int
    experts: int
    days: float | None
    drawn: int
    closed: int

    @property
    def drawn_share(self) -> float | None:
        return self.drawn / self.closed if self.closed else None


@dataclass(frozen=True)
class Pipeline:
    """The content of the pipeline's page."""

    rows: list[StageRow]
    approved: int
    approved_lately: int
    domains: list[DomainRow]
    bottlenecks: list[Bottleneck]
    days: int

    @property
    def under_way(self) -> int:
        return sum(row.count for row in self.rows)

    @property
    def late(self) -> int:
        return sum(row.late for row in self.rows)

    @property
    def widest(self) -> int:
        return max((row.count for row in self.rows), default=0)

    @property
    def slowest(self) -> StageRow | None:
        """The stage with the most late tasks; None if no task is late."""
        row = max(self.rows, key=lambda r: r.late, default=None)
        return row if row and row.late else None

    @property
    def headline(self) -> str:
        if not self.under_way:
            return _("No task is under way")
        if self.slowest is None:
            return _("Tasks are moving")
        return str(TASK.stages[self.slowest.stage].crowded)


def pipeline(*, domain: Domain | None = None, days: int = 90) -> Pipeline:
    """Return the state of the programme.

    Args:
        domain: limits it to one domain.
        days: length of the period for finished stays and recent approvals.
    """
    now = timezone.now()
    since = now - timedelta(days=days)
    tasks = Task.objects.filter(origin__in=THROUGH_THE_PROCESS)
    if domain is not None:
        tasks = tasks.filter(domain=domain)
    waiting = _waiting(tasks, now)
    stays, moves = _finished_stays(domain, since)
    rows = [_stage_row(stage, waiting[stage], stays[stage], moves[stage]) for stage in OPEN_STAGES]
    done = {
        row["domain_id"]: row
        for row in tasks.filter(stage=S.APPROVED)
        .order_by()
        .values("domain_id")
        .annotate(n=Count("pk"), lately=Count("pk", filter=Q(stage_since__gte=since)))
    }
    return Pipeline(
        rows=rows,
        approved=sum(row["n"] for row in done.values()),
        approved_lately=sum(row["lately"] for row in done.values()),
        domains=_domains(domain, since, {pk: row["n"] for pk, row in done.items()}),
        bottlenecks=bottlenecks(tasks, waiting, now),
        days=days,
    )


def summary() -> list[tuple[str, Any, int, int]]:
    """Return (stage, label, number of tasks, number of late ones) for staff's Home. One query."""
    late = timezone.now() - timedelta(days=LATE_DAYS)
    counts = {
        row["stage"]: (row["n"], row["late"])
        for row in Task.objects.filter(
            origin__in=THROUGH_THE_PROCESS, stage__in=(*OPEN_STAGES, S.APPROVED)
        )
        .order_by()
        .values("stage")
        .annotate(n=Count("pk"), late=Count("pk", filter=Q(stage_since__lt=late)))
    }
    return [(s, S(s).label, *counts.get(s, (0, 0))) for s in (*OPEN_STAGES, S.APPROVED)]


# --- the funnel --------------------------------------------------------------------------------
def _waiting(tasks: Any, now: datetime) -> StageWaits:
    """Return stage -> (whole days in it, domain id, domain) of every open task."""
    names = {d.pk: d for d in Domain.objects.all()}
    found: StageWaits = defaultdict(list)
    for stage, since, domain_id in tasks.filter(stage__in=OPEN_STAGES).values_list(
        "stage", "stage_since", "domain_id"
    ):
        found[stage].append(((now - since).days, domain_id, names[domain_id]))
    return found


def _finished_stays(
    domain: Domain | None, since: datetime
) -> tuple[dict[str, list[float]], dict[str, list[bool]]]:
    """Return the stays that ended in the period.

    Returns:
        Stage -> seconds of each stay, and stage -> whether each move went forward.
    """
    entered = (
        TaskEvent.objects.filter(
            task=OuterRef("task"), to_stage=OuterRef("from_stage"), id__lt=OuterRef("id")
        )
        .exclude(from_stage=F("to_stage"))
        .order_by("-id")
        .values("at")[:1]
    )
    ended = (
        TaskEvent.objects.filter(
            at__gte=since, from_stage__in=OPEN_STAGES, task__origin__in=THROUGH_THE_PROCESS
        )
        .exclude(from_stage=F("to_stage"))
        .annotate(entered=Subquery(entered))
        .order_by()
    )
    if domain is not None:
        ended = ended.filter(task__domain=domain)
    stays: dict[str, list[float]] = defaultdict(list)
    moves: dict[str, list[bool]] = defaultdict(list)
    for before, after, start, end in ended.values_list("from_stage", "to_stage", "entered", "at"):
        moves[before].append(TASK.forward(before, after))
        if start is not None:
            stays[before].append((end - start).total_seconds())
    return stays, moves


def _stage_row(
    stage: str, waiting: list[tuple[int, int, Any]], stays: list[float], moves: list[bool]
) -> StageRow:
    counts = [0, 0, 0, 0]
    for days, _domain_id, _name in waiting:
        counts[sum(days >= limit for limit in AGES)] += 1
    oldest = max(waiting, default=None, key=lambda w: w[0])
    return StageRow(
        stage=stage,
        label=S(stage).label,
        who=TASK.stages[stage].workers,
        count=len(waiting),
        ages=(counts[0], counts[1], counts[2], counts[3]),
        median=median(stays) if stays else None,
        percentile_90=percentile_90(stays),
        oldest=(str(oldest[2]), oldest[0]) if oldest and oldest[0] else None,
        moved_on=sum(moves) / len(moves) if moves else None,
    )


def percentile_90(stays: Iterable[float]) -> float | None:
    """Return the 90th percentile by nearest rank: at least 90 % of the stays are no longer."""
    ordered = sorted(stays)
    return ordered[-(-9 * len(ordered) // 10) - 1] if ordered else None


# --- by domain ------------------------------------------------------------------------------------
def _domains(only: Domain | None, since: datetime, approved: dict[int, int]) -> list[DomainRow]:
    domains = Domain.objects.filter(external=False)
    if only is not None:
        domains = domains.filter(pk=only.pk)
    experts = dict(
        Qualification.objects.filter(active=True, user__is_active=True)
        .order_by()
        .values_list("domain_id")
        .annotate(n=Count("pk"))
    )
    ways = TaskEvent.objects.filter(
        task__origin__in=THROUGH_THE_PROCESS,
        task__stage=S.APPROVED,
        task__stage_since__gte=since,
    ).order_by()
    days: dict[int, list[float]] = defaultdict(list)
    for domain_id, first, last in (
        ways.values("task_id")
        .annotate(
            first=Min("at", filter=Q(to_stage=S.SUBMITTED)),
            last=Max("at", filter=Q(to_stage=S.APPROVED)),
        )
        .values_list("task__domain_id", "first", "last")
    ):
        if first and last:
            days[domain_id].append((last - first).total_seconds() / DAY)
    closed = (
        TaskEvent.objects.filter(
            task__origin__in=THROUGH_THE_PROCESS,
            from_stage__in=(S.IN_REVIEW, S.DECIDING),
            to_stage__in=(S.SPOT_CHECK, S.APPROVED),
        )
        .order_by()
        .values("task__domain_id")
        .annotate(n=Count("pk"), drawn=Count("pk", filter=Q(to_stage=S.SPOT_CHECK)))
    )
    drawn = {row["task__domain_id"]: (row["drawn"], row["n"]) for row in closed}
    return [
        DomainRow(
            domain=domain,
            approved=approved.get(domain.pk, 0),
            experts=experts.get(domain.pk, 0),
            days=median(days[domain.pk]) if days[domain.pk] else None,
            drawn=drawn.get(domain.pk, (0, 0))[0],
            closed=drawn.get(domain.pk, (0, 0))[1],
        )
        for domain in domains
    ]
