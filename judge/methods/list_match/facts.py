"""What the method knows of list tasks: their demand, and the table of bands in force."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.process.history import AppendOnly, reasoned
from curation.base.text import storable
from curation.base.web.fields import LineField
from curation.joining.people import User
from curation.tasks.task.demands import Demand, DemandStore
from curation.tasks.task.models import Task
from judge.methods.list_match.bands import Bands


class ListDemand(models.Model):
    """How many of what a list task asks for. A task without a row asks for as many as gold items.

    Attributes:
        number: only so many entries of a response count, the first ones.
        what: the things in the list, in the plural and in the task's language: "companies".
    """

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="list_demand")
    number = models.PositiveSmallIntegerField()
    what = LineField(max_length=60)
    # None for an import on the command line
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(number__gte=1), name="a_list_demands_at_least_one_item"
            ),
            models.CheckConstraint(condition=~Q(what=""), name="a_list_demands_something"),
        ]


class BandTable(AppendOnly):
    """Which coverage gives which grade. The newest table counts; earlier ones stay on record.

    Attributes:
        coverage: least coverage in percent of the grades 2, 3, 4 and 5; below the first it is 1.
        invented: [percent, grade] rows: where more than so much of the counted entries is
            invented, the grade is at most this one.
    """

    number = models.PositiveIntegerField()
    coverage = models.JSONField()
    invented = models.JSONField()
    reason = models.TextField()
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="band_tables_are_set_one_by_one"),
            reasoned("a_band_table_has_a_reason"),
        ]


FIELDS = ("number", "what")


def problems_with(task: Task, demand: Demand) -> dict[str, list[str]]:
    """Return what is wrong with a demand: field -> sentences."""
    problem = storable.problem_with_name(demand["what"], limit=60)
    return {"what": [problem]} if problem else {}


def write(by: Any, task: Task, demand: Demand) -> None:
    """Store a demand; the same again changes nothing."""
    values = {name: demand[name] for name in FIELDS}
    if not ListDemand.objects.filter(task=task, **values).exists():
        values |= {"set_by": by, "since": timezone.now()}
        ListDemand.objects.update_or_create(task=task, defaults=values)


def _of(tasks: Collection[int]) -> Mapping[int, Demand]:
    rows = ListDemand.objects.filter(task__in=list(tasks)).values("task_id", *FIELDS)
    return {row["task_id"]: row for row in rows}


def _clear(task: Task) -> None:
    ListDemand.objects.filter(task=task).delete()


STORE = DemandStore(names=FIELDS, of=_of, check=problems_with, write=write, clear=_clear)


ITEMS = "items"


@dataclass(frozen=True, slots=True)
class ListFacts:
    """The demand of a task and the bands; `number` is None where the task demands no number."""

    number: int | None
    what: str
    bands: Bands


def bands_in_force() -> Bands:
    """Return the newest table, else the built-in one. One query."""
    row = BandTable.objects.first()
    return bands_of(row) if row else Bands()


def bands_of(row: BandTable) -> Bands:
    """Return a stored table."""
    invented = tuple((percent, grade) for percent, grade in row.invented)
    return Bands(tuple(row.coverage), invented, row.number)


def list_facts(tasks: Collection[int]) -> Mapping[int, ListFacts]:
    """Return the facts of each task. Two queries."""
    bands = bands_in_force()
    found = {task: ListFacts(None, ITEMS, bands) for task in tasks}
    rows = ListDemand.objects.filter(task__in=tasks).values_list("task_id", "number", "what")
    found |= {task: ListFacts(number, what, bands) for task, number, what in rows}
    return found
