"""Where selection tasks keep how many profiles of which pool they ask for."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.tasks.task.demands import Demand, DemandStore
from curation.tasks.task.models import Task
from judge.methods.profiles.actions import demand_problems, write_selection
from judge.methods.profiles.models import ProfilePool, Selection


def _pool(key: str) -> ProfilePool | None:
    return ProfilePool.objects.filter(key=key).first()


def _problems(task: Task, demand: Demand) -> dict[str, list[str]]:
    pool = _pool(demand["pool"])
    if pool is None:
        sentence = _("There is no pool with this key. Import its profiles first.")
        return {"pool": [sentence]}
    return demand_problems(task, pool, demand["number"], demand["what"])


def _write(by: Any, task: Task, demand: Demand) -> None:
    pool = ProfilePool.objects.get(key=demand["pool"])
    write_selection(by, task, pool, demand["number"], demand["what"])


def _of(tasks: Collection[int]) -> Mapping[int, Demand]:
    rows = Selection.objects.filter(task__in=list(tasks))
    return {
        task: {"pool": pool, "number": number, "what": what}
        for task, pool, number, what in rows.values_list("task_id", "pool__key", "number", "what")
    }


def _clear(task: Task) -> None:
    Selection.objects.filter(task=task).delete()


def _pools() -> Iterable[tuple[str, str]]:
    return [*ProfilePool.objects.values_list("key", "name")]


STORE = DemandStore(
    names=("pool", "number", "what"),
    required=gettext_lazy("Say how many profiles of which pool the task asks for."),
    of=_of,
    check=_problems,
    write=_write,
    clear=_clear,
    pools=_pools,
)
