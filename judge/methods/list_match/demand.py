"""Where list tasks keep how many of what they ask for."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils import timezone

from curation.base.text import storable
from curation.tasks.task.demands import Demand, DemandStore
from curation.tasks.task.models import Task
from judge.methods.list_match.models import ListDemand

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
