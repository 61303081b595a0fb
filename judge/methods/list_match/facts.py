"""What the method knows of list tasks: their demand, and the table of bands in force."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from judge.methods.list_match.bands import Bands
from judge.methods.list_match.models import BandTable, ListDemand

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
