"""Units of agreement: lines that two people judged independently.

A unit is one wording of a line, with the response it was judged on where there is one. A
person's verdict on the same wording in a later version belongs to the same unit, so nothing is
counted twice. A senior's check of an anchor is left out: it is not independent, because the
senior sees the scorer's verdicts.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet

from curation.base.process.roles import Role
from curation.joining.notices.notify import seniors_of
from curation.joining.people import cached_conflicts_of
from curation.tasks.task.models import Seat, Task
from curation.tasks.task.queries import kept_off
from judge.scoring.agreement.models import Adjudication
from judge.scoring.sheets.models import SheetLine
from judge.scoring.sheets.queries import current_sheets
from review.rounds.agreement import given_verdicts

Kind = Adjudication.Kind
RulingKey = tuple[int, int | None, str, str]  # task, response, key of the line, its text


@dataclass(slots=True)
class Unit:
    """One wording of a line with each person's verdicts on it.

    Attributes:
        criterion: the id of the oldest line with this wording; a ruling refers to it.
        first: person -> their first, independent verdict.
        last: person -> their last verdict.
        source: person -> the source of the first verdict: a GivenVerdict (reviews) or a sheet's id
            (scores).
        for_flags: people who were asked because a verdict is flagged. They can dispute a line, but
            statistics leave them out, as they were not asked at random.
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
    for_flags: set[Hashable] = field(default_factory=set)

    @property
    def ruling_key(self) -> RulingKey:
        return self.task, self.response, self.key, self.text

    @property
    def judged_twice(self) -> bool:
        return len(self.first) > 1

    @property
    def disputed(self) -> bool:
        """Whether two of the first verdicts differ."""
        return len(set(self.first.values())) > 1

    @property
    def came_together(self) -> bool:
        """Whether the first verdicts differ and the last ones agree."""
        return self.disputed and len(set(self.last.values())) == 1

    def disputed_among(self, *, for_flags: bool) -> bool:
        """Whether first verdicts of `pattern` differ."""
        return len({verdict for _who, verdict in self.pattern(for_flags=for_flags)}) > 1

    def pattern(self, *, for_flags: bool = False) -> frozenset[tuple[Hashable, str]]:
        """Return the (person, first verdict) pairs that the statistics count.

        Args:
            for_flags: of the people who were asked because of a flag instead of the others.
        """
        return frozenset(
            (who, verdict)
            for who, verdict in self.first.items()
            if (who in self.for_flags) == for_flags
        )


def tasks_open_to(user: Any) -> QuerySet[Task]:
    """Return the tasks whose agreement a person may read.

    Nobody reads it where they are the author or hold a blind seat; an adjudicator's seat is not
    blind. Staff read all other tasks. A senior reads the tasks of their domains and imported
    tasks (whose domains have no seniors), except by authors they have a tie to.
    """
    seated = Seat.objects.filter(user=user).exclude(role=Role.ADJUDICATOR).values("task")
    tasks = Task.objects.exclude(pk__in=seated).exclude(author=user).exclude(rubric_author=user)
    if user.is_staff:
        return tasks
    mine = Q(domain__in=user.senior_domain_ids()) | Q(domain__external=True)
    # Without `author__isnull=False` the tasks without an author (imported ones) would drop out.
    return tasks.filter(mine).exclude(author__isnull=False, author__in=cached_conflicts_of(user))


def has_free_senior(task: Task) -> bool:
    """Return whether some senior may still settle the disputes of a task of this programme."""
    seated = Seat.objects.filter(task=task).exclude(role=Role.ADJUDICATOR).values("user")
    away = kept_off(task)
    return seniors_of(task.domain_id).exclude(pk__in=seated).exclude(pk__in=away).exists()


def units_of(kind: str, tasks: QuerySet[Task]) -> list[Unit]:
    """Return the lines of these tasks that at least two people judged. One query."""
    found = _units_of_reviews(tasks) if kind == Kind.REVIEW else _units_of_sheets(tasks)
    return [unit for unit in found if unit.judged_twice]


def _units_of_reviews(tasks: QuerySet[Task]) -> Iterable[Unit]:
    units: dict[tuple[object, ...], Unit] = {}
    for given in given_verdicts(tasks):
        key = (given.task, *given.wording)
        unit = units.get(key)
        if unit is None:
            unit = units[key] = Unit(
                Kind.REVIEW, given.task, None, given.criterion, given.key, given.text,
                given.importance, given.weight, given.dimension,
            )  # fmt: skip
        unit.first.setdefault(given.review, given.verdict)
        unit.source.setdefault(given.review, given)
        unit.last[given.review] = given.verdict
        unit.criterion = min(unit.criterion, given.criterion)
    return units.values()


def _units_of_sheets(tasks: QuerySet[Task]) -> Iterable[Unit]:
    twice = (
        current_sheets()
        .values("response")
        .annotate(raters=Count("rater", distinct=True))
        .filter(raters__gte=2)
        .values("response")
    )
    rows: Iterator[tuple] = (
        SheetLine.objects.filter(
            met__isnull=False,
            sheet__in=current_sheets().filter(
                response__in=twice, response__task__in=tasks.order_by().values("pk")
            ),
        )
        # Newest first: of a scorer's sheets on several versions, the newest one counts. What was
        # asked because of a flag comes last, so that it never takes the place of another one.
        .annotate(
            for_flag=ExpressionWrapper(
                Q(sheet__flagged_item__isnull=False), output_field=BooleanField()
            )
        )
        .order_by("for_flag", "-sheet__version_id", "-sheet_id")
        .values_list(
            "sheet__response__task_id",
            "sheet__response_id",
            "sheet__rater",
            "for_flag",
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
    units: dict[RulingKey, Unit] = {}
    for task, response, rater, for_flag, sheet, met, criterion, key, text, *rest in rows:
        unit = units.get((task, response, key, text))
        if unit is None:
            unit = units[task, response, key, text] = Unit(
                Kind.SHEET, task, response, criterion, key, text, *rest
            )
        if rater not in unit.first:
            ruling = Adjudication.Ruling.MET if met else Adjudication.Ruling.UNMET
            unit.first[rater] = unit.last[rater] = ruling
            unit.source[rater] = sheet
            if for_flag:
                unit.for_flags.add(rater)
        unit.criterion = min(unit.criterion, criterion)
    return units.values()


def rulings(kind: str, tasks: QuerySet[Task]) -> Mapping[RulingKey, Adjudication]:
    """Return the last ruling on each line of these tasks. One query."""
    rows = (
        Adjudication.objects.filter(kind=kind, task__in=tasks.order_by().values("pk"))
        .select_related("criterion")
        .order_by("id")
    )
    return {
        (row.task_id, row.response_id, row.criterion.key, row.criterion.text): row for row in rows
    }
