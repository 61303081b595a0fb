"""What the pages of coverage read: a domain's work map beside the tasks written for it."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.tasks.coverage.figures import Bar, bars, by_time, counted_value, percent_of
from curation.tasks.task.models import THROUGH_THE_PROCESS, Task
from curation.tasks.work_map.models import WorkMap, WorkType
from curation.tasks.work_map.queries import cell_of, known_share, map_of, work_types_of

# A draft is nobody's task yet, and a stopped one is none any more.
NOT_COUNTED = (Stage.DRAFT, Stage.REJECTED, Stage.WITHDRAWN, Stage.DISCARDED)


@dataclass(frozen=True)
class Row:
    """A work type with the tasks that cover it; percentages are None where nothing is known."""

    work_type: WorkType
    cell: str
    tasks: int
    approved: int
    minutes: int
    value: Decimal
    of_tasks: Decimal | None
    of_value: Decimal | None

    @property
    def is_gap(self) -> bool:
        return self.work_type.benchmarked and not self.tasks


@dataclass(frozen=True)
class Coverage:
    """A domain's map beside its tasks.

    Attributes:
        rows: active work types in the order of the map.
        retired: retired ones.
        gaps: active work that tasks could be written for and that has none, most time first.
        known: the sum of the shares that interviews gave; None without any.
        covered: the part of it that has at least one task.
        tasks, without_type: tasks that count, and those of them without a work type.
        without_value: tasks whose time or rate is unknown.
    """

    work_map: WorkMap
    rows: list[Row]
    retired: list[Row]
    gaps: list[Row]
    known: Decimal | None
    covered: Decimal
    tasks: int
    without_type: int
    value: Decimal
    without_value: int
    by_category: list[Bar]
    by_type: list[Bar]
    by_minutes: list[Bar]

    @property
    def first_step(self) -> int:
        """The upper end of the first step of the time histogram, in minutes."""
        return int(self.work_map.time_bins[0])

    @property
    def sentence(self) -> str:
        """The finding that stands on top of the page."""
        if not self.rows:
            return _("This domain has no work map yet.")
        if self.known is None:
            return _("Nobody was asked yet how the working time of this domain is spent.")
        return _(
            "Tasks cover work that takes %(covered)s %% of the time. Interviews account for "
            "%(known)s %%."
        ) % {"covered": f"{self.covered.normalize():f}", "known": f"{self.known.normalize():f}"}


def coverage_of(domain: Domain) -> Coverage:
    """Return how tasks cover the work map of a domain. Four queries."""
    types = list(work_types_of(domain))
    work_map = map_of(domain)
    tasks: list[Any] = list(
        Task.objects.filter(domain=domain, origin__in=THROUGH_THE_PROCESS)
        .exclude(stage__in=NOT_COUNTED)
        .values("work_type_id", "category_id", "stage", "minutes", "rate_band", "hourly_rate")
    )
    sums: dict[int | None, dict[str, Any]] = defaultdict(lambda: defaultdict(int))
    whole_value, without_value = Decimal(0), 0
    for task in tasks:
        found, value = sums[task["work_type_id"]], counted_value(task)
        found["tasks"] += 1
        found["approved"] += task["stage"] == Stage.APPROVED
        found["minutes"] += task["minutes"] or 0
        found["value"] += value or Decimal(0)
        whole_value += value or Decimal(0)
        without_value += value is None
    rows = [_row(work_type, sums[work_type.pk], len(tasks), whole_value) for work_type in types]
    active = [row for row in rows if row.work_type.retired_at is None]
    gaps = [row for row in active if row.is_gap]
    gaps.sort(key=lambda row: -(row.work_type.share or 0))
    per_type = [(str(row.work_type), row.tasks) for row in rows if row.tasks]
    untyped = sums[None]["tasks"] if None in sums else 0
    return Coverage(
        work_map=work_map,
        rows=active,
        retired=[row for row in rows if row.work_type.retired_at is not None],
        gaps=gaps,
        known=known_share(types),
        covered=sum((r.work_type.share or Decimal(0) for r in active if r.tasks), Decimal(0)),
        tasks=len(tasks),
        without_type=untyped,
        value=whole_value,
        without_value=without_value,
        by_category=_by_category(domain, tasks),
        by_type=bars([*per_type, (_("no work type"), untyped)] if untyped else per_type),
        by_minutes=by_time([task["minutes"] for task in tasks], work_map.time_bins),
    )


def _row(work_type: WorkType, sums: Any, tasks: int, value: Decimal) -> Row:
    return Row(
        work_type=work_type,
        cell=cell_of(work_type.feasible, work_type.evaluable),
        tasks=sums["tasks"],
        approved=sums["approved"],
        minutes=sums["minutes"],
        value=Decimal(sums["value"]),
        of_tasks=percent_of(sums["tasks"], tasks),
        of_value=percent_of(Decimal(sums["value"]), value),
    )


def _by_category(domain: Domain, tasks: list[dict[str, Any]]) -> list[Bar]:
    counts = Counter(task["category_id"] for task in tasks)
    names = [(str(row), counts[row.pk]) for row in domain.categories.all() if counts[row.pk]]
    names.sort(key=lambda found: -found[1])
    return bars([*names, (_("no category"), counts[None])] if counts[None] else names)


@dataclass(frozen=True)
class DomainRow:
    """A domain in the list of work maps."""

    domain: Domain
    types: int
    known: Decimal | None
    tasks: int
    typed: int
    gaps: int


def domain_rows() -> list[DomainRow]:
    """Return every domain of the programme with the numbers of its map. Three queries."""
    shares: dict[int, list[WorkType]] = defaultdict(list)
    for work_type in WorkType.objects.filter(retired_at__isnull=True):
        shares[work_type.domain_id].append(work_type)
    counting = Task.objects.filter(origin__in=THROUGH_THE_PROCESS).exclude(stage__in=NOT_COUNTED)
    counts: dict[int, dict[str, Any]] = {
        row["domain"]: dict(row)
        for row in counting.order_by()
        .values("domain")
        .annotate(n=Count("pk"), typed=Count("pk", filter=Q(work_type__isnull=False)))
    }
    covered = set(counting.order_by().values_list("work_type", flat=True).distinct())
    return [
        DomainRow(
            domain=domain,
            types=len(shares[domain.pk]),
            known=known_share(shares[domain.pk]),
            tasks=counts.get(domain.pk, {}).get("n", 0),
            typed=counts.get(domain.pk, {}).get("typed", 0),
            gaps=sum(w.benchmarked and w.pk not in covered for w in shares[domain.pk]),
        )
        for domain in Domain.objects.filter(external=False)
    ]
