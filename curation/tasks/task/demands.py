"""What a task of some forms demands: so many things, of a pool where there is one.

`FIELDS` is the one table of a demand's fields: the author's page, the API, files of tasks, exports,
gold releases and the checks read it. The apps above store demands and register where.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.refusals import BadInput
from curation.tasks.task.fields import Field, Kind
from curation.tasks.task.models import AnswerForm, Task

Demand = Mapping[str, Any]  # name of a field -> value

FIELDS = (
    Field(
        name="pool",
        label=gettext_lazy("Pool of profiles"),
        kind=Kind.LINE,
        limit=60,
        missing=gettext_lazy("Say from which pool the profiles are selected."),
    ),
    Field(
        name="number",
        label=gettext_lazy("How many"),
        kind=Kind.NUMBER,
        limit=500,
        help_text=gettext_lazy("Only the first entries of an answer count, as many as this."),
        missing=gettext_lazy("Say how many are asked for."),
        unusable=gettext_lazy("Give a whole number, from 1 to 500."),
    ),
    Field(
        name="what",
        label=gettext_lazy("Of what"),
        kind=Kind.LINE,
        limit=60,
        help_text=gettext_lazy(
            "In the plural and in the task's language: companies, people, creators."
        ),
        missing=gettext_lazy("Say of what, in the plural: companies, people."),
    ),
)
NAMES = tuple(field.name for field in FIELDS)


@dataclass(frozen=True, kw_only=True)
class DemandStore:
    """Where the demands of one form of answers are kept.

    Attributes:
        names: the fields of a demand of this form.
        required: what to say where a task is submitted without a demand; "" where it needs none.
        of: tasks by primary key -> the demand of each that has one. One query.
        check: a complete demand -> what is wrong: field -> sentences.
        write: who sets it (None for a command), task, checked demand.
        clear: deletes the demand of a task.
        pools: (key, name) of what can be chosen from.
    """

    names: tuple[str, ...]
    required: Any = ""
    of: Callable[[Collection[int]], Mapping[int, Demand]]
    check: Callable[[Task, Demand], dict[str, list[str]]]
    write: Callable[[Any, Task, Demand], None]
    clear: Callable[[Task], None]
    pools: Callable[[], Iterable[tuple[str, str]]] = tuple


_stores: dict[str, DemandStore] = {}


def register(form: str, store: DemandStore) -> None:
    """Say where the demands of a form of answers are kept."""
    _stores[form] = store


def names_of(form: str) -> tuple[str, ...]:
    """Return the fields of a demand of a form; none where it demands nothing."""
    return _stores[form].names if form in _stores else ()


def pools() -> list[tuple[str, str]]:
    """Return key and name of everything a task can have profiles selected from."""
    return [pool for store in _stores.values() for pool in store.pools()]


def demands_of(tasks: Collection[int]) -> dict[int, dict[str, Any]]:
    """Return what tasks demand, by primary key; those without a demand are left out.

    One query for each form that has demands.
    """
    return {
        task: {name: demand[name] for name in store.names}
        for store in _stores.values()
        for task, demand in store.of(tasks).items()
    }


def demand_of(task: Task) -> dict[str, Any] | None:
    """Return what a task demands; None for nothing."""
    store = _stores.get(task.answer_form)
    found = store.of([task.pk]).get(task.pk) if store else None
    return {name: found[name] for name in store.names} if store and found else None


def problems_with(task: Task, form: str, demand: Demand) -> dict[str, list[str]]:
    """Return what is wrong with a demand of a form: field -> sentences. No field is optional."""
    names = names_of(form)
    found: dict[str, list[str]] = {}
    for field in FIELDS:
        value = demand.get(field.name)
        given = value not in (None, "")
        if field.name not in names:
            if given:
                found[field.name] = [_("The answer to this task has nothing of the kind.")]
        elif not given:
            found[field.name] = [str(field.missing)]
        elif problem := field.problem_with(value):
            found[field.name] = [problem]
    if found or form not in _stores:
        return found
    return _stores[form].check(task, {name: demand[name] for name in names})


def write_demand(by: Any, task: Task, demand: Demand) -> None:
    """Store what a task demands.

    Raises:
        BadInput: something is wrong with it; `fields` has all of it.
    """
    if problems := problems_with(task, task.answer_form, demand):
        raise BadInput(fields=problems)
    store = _stores[task.answer_form]
    store.write(by, task, {name: demand[name] for name in store.names})


def clear_demand(task: Task) -> None:
    """Delete what a task demands, if anything."""
    if task.answer_form in _stores:
        _stores[task.answer_form].clear(task)


def missing_demand(task: Task) -> dict[str, list[str]]:
    """Return what keeps a task from being submitted without a demand: field -> sentences."""
    store = _stores.get(task.answer_form)
    if store is None or not store.required or demand_of(task):
        return {}
    return {"answer_form": [str(store.required)]}


def in_words(task: Task) -> list[tuple[str, str]]:
    """Return (label, words) of the form of a task's answers and of what it demands.

    A text, which is the usual form, is not mentioned.
    """
    if task.answer_form == AnswerForm.TEXT:
        return []
    demand = demand_of(task)
    words = [(_("Answer"), str(task.get_answer_form_display()))]
    if demand:
        asked = _("%(n)s %(things)s") % {"n": demand["number"], "things": demand["what"]}
        words.append((_("Asked for"), asked))
        if "pool" in demand:
            words.append((_("Pool of profiles"), dict(pools()).get(demand["pool"], "")))
    return words
