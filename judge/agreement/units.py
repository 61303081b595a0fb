"""Lines that two people judged independently: units of agreement, and the disputes among them.

A unit is a line as it was worded, with the response it was judged on where there is one. A
verdict on the same wording in a later version is the same person's word on the same unit, so
nothing is counted twice. A senior's check of an anchor is no independent reading and not among
them: the senior sees the scorer's verdicts.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q, QuerySet

from curation.applications.conflicts import people_in_conflict_with, ties_of
from curation.notices.notify import seniors_of
from curation.process.roles import Role
from curation.tasks.models import Seat, Task
from judge.agreement.models import Adjudication
from judge.sheets.models import SheetLine
from judge.sheets.queries import submitted_sheets
from review.rounds.agreement import readings

Kind = Adjudication.Kind
Place = tuple[int, int | None, str, str]  # task, response, key of the line, text: where a ruling is


@dataclass(slots=True)
class Unit:
    """One wording of one line, and who said what of it.

    Attributes:
        criterion: the oldest row of the wording; what a ruling points at.
        first: reader -> their first, independent word.
        last: reader -> their last word.
        source: reader -> where the first word stands: a Reading (reviews) or a sheet's id (scores).
    """

    kind: str
    task: int
    response: int | None
    criterion: int
    key: str
    text: str
    importance: str
    weight: int
    dimension: str
    first: dict[Hashable, str] = field(default_factory=dict)
    last: dict[Hashable, str] = field(default_factory=dict)
    source: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        return self.task, self.response, self.key, self.text

    @property
    def double(self) -> bool:
        return len(self.first) > 1

    @property
    def disputed(self) -> bool:
        """Whether two of the first words differ."""
        return len(set(self.first.values())) > 1

    @property
    def came_together(self) -> bool:
        """Disputed at first; the last words are the same."""
        return self.disputed and len(set(self.last.values())) == 1

    def pattern(self) -> frozenset[tuple[Hashable, str]]:
        """What the statistics count."""
        return frozenset(self.first.items())


def tasks_open_to(user: Any) -> QuerySet[Task]:
    """Whose disagreements a person may read: nobody's where they hold a seat.

    A seat there is blind, or was. Staff read the others; a senior those of their domains (and of
    other benchmarks, whose domains have no seniors) by authors they have no tie to. The seat of
    an adjudicator is the one that reading gives.
    """
    seated = Seat.objects.filter(user=user).exclude(role=Role.ADJUDICATOR).values("task")
    tasks = Task.objects.exclude(pk__in=seated).exclude(author=user)
    if user.is_staff:
        return tasks
    mine = Q(domain__in=user.senior_domain_ids()) | Q(domain__external=True)
    # `author_id in …` alone would drop the tasks without an author, those of other benchmarks.
    return tasks.filter(mine).exclude(author__isnull=False, author__in=ties_of(user))


def has_free_senior(task: Task) -> bool:
    """Whether some senior may still settle the disputes on a task of this programme."""
    seated = Seat.objects.filter(task=task).exclude(role=Role.ADJUDICATOR).values("user")
    away = people_in_conflict_with(task.author)
    return seniors_of(task.domain_id).exclude(pk__in=seated).exclude(pk__in=away).exists()


def units_of(kind: str, tasks: QuerySet[Task]) -> list[Unit]:
    """The lines of these tasks that at least two people judged. One query."""
    found = _of_reviews(tasks) if kind == Kind.REVIEW else _of_sheets(tasks)
    return [unit for unit in found if unit.double]


def _of_reviews(tasks: QuerySet[Task]) -> Iterable[Unit]:
    units: dict[tuple[object, ...], Unit] = {}
    for said in readings(tasks):
        key = (said.task, *said.wording)
        unit = units.get(key)
        if unit is None:
            unit = units[key] = Unit(
                Kind.REVIEW, said.task, None, said.criterion, said.key, said.text,
                said.importance, said.weight, said.dimension,
            )  # fmt: skip
        unit.first.setdefault(said.review, said.verdict)
        unit.source.setdefault(said.review, said)
        unit.last[said.review] = said.verdict
        unit.criterion = min(unit.criterion, said.criterion)
    return units.values()


def _of_sheets(tasks: QuerySet[Task]) -> Iterable[Unit]:
    twice = (
        submitted_sheets()
        .values("response")
        .annotate(raters=Count("rater", distinct=True))
        .filter(raters__gte=2)
        .values("response")
    )
    rows: Iterator[tuple] = (
        SheetLine.objects.filter(
            met__isnull=False,
            sheet__in=submitted_sheets().filter(
                response__in=twice, response__task__in=tasks.order_by().values("pk")
            ),
        )
        # Scored again on a newer version, the newest sheet is a scorer's word.
        .order_by("-sheet__version_id", "-sheet_id")
        .values_list(
            "sheet__response__task_id",
            "sheet__response_id",
            "sheet__rater",
            "sheet_id",
            "met",
            "criterion_id",
            "criterion__key",
            "criterion__text",
            "criterion__importance",
            "criterion__weight",
            "criterion__dimension",
        )
        .iterator(chunk_size=5000)
    )
    units: dict[Place, Unit] = {}
    for task, response, rater, sheet, met, criterion, key, text, *rest in rows:
        unit = units.get((task, response, key, text))
        if unit is None:
            unit = units[task, response, key, text] = Unit(
                Kind.SHEET, task, response, criterion, key, text, *rest
            )
        if rater not in unit.first:
            ruling = Adjudication.Ruling.MET if met else Adjudication.Ruling.UNMET
            unit.first[rater] = unit.last[rater] = ruling
            unit.source[rater] = sheet
        unit.criterion = min(unit.criterion, criterion)
    return units.values()


def rulings(kind: str, tasks: QuerySet[Task]) -> Mapping[Place, Adjudication]:
    """Where a senior has ruled: the last ruling of each place. One query."""
    rows = (
        Adjudication.objects.filter(kind=kind, task__in=tasks.order_by().values("pk"))
        .select_related("criterion")
        .order_by("id")
    )
    return {
        (row.task_id, row.response_id, row.criterion.key, row.criterion.text): row for row in rows
    }
