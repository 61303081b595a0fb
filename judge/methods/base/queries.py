"""Methods and their settings as the staff's pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from curation.tasks.task.models import ANSWERABLE, AnswerForm, Task
from judge.methods.base import registry
from judge.methods.graded.scale import BUILT_IN, GradeScale, points_of
from judge.methods.list_match.bands import Bands
from judge.methods.list_match.facts import BandTable, ListDemand, bands_in_force, bands_of

SHOWN = 50  # rows of a history, and list tasks


@dataclass(frozen=True, slots=True)
class MethodRow:
    """A method as a row: what it judges, what it shows a model, and how many tasks it fits."""

    key: str
    label: str
    sees: str
    forms: tuple[str, ...]
    tasks: int


@dataclass(frozen=True, slots=True)
class ListTask:
    """A list task with what it demands; `number` is None where it demands no number."""

    key: str
    title: str
    language: str
    number: int | None
    what: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the page of methods shows."""

    methods: tuple[MethodRow, ...]
    bands: Bands
    band_rows: tuple[tuple[int, int, int | None], ...]  # grade, points, least coverage
    band_history: tuple[tuple[BandTable, Bands], ...]
    scale: tuple[tuple[int, int, str], ...]  # grade, points, words
    scale_history: tuple[GradeScale, ...]
    lists: tuple[ListTask, ...]


def settings() -> Settings:
    """Return the methods with their settings. Seven queries."""
    by_form: dict[str, int] = dict(
        Task.objects.filter(origin__in=ANSWERABLE)
        .order_by()
        .values_list("answer_form")
        .annotate(n=Count("id"))
    )
    bands = bands_in_force()
    scales = tuple(GradeScale.objects.select_related("category", "set_by")[:SHOWN])
    general = next((row for row in scales if row.category_id is None), None)
    words: Sequence[str] = (general.sentences if general else ()) or BUILT_IN
    return Settings(
        methods=tuple(
            MethodRow(
                key,
                str(method.label),
                str(method.sees),
                tuple(str(AnswerForm(form).label) for form in AnswerForm if form in method.forms),
                sum(n for form, n in by_form.items() if form in method.forms),
            )
            for key, method in registry.METHODS.items()
        ),
        bands=bands,
        band_rows=tuple(
            (grade, points_of(grade), None if grade == 1 else bands.coverage[grade - 2])
            for grade in range(5, 0, -1)
        ),
        band_history=tuple(
            (row, bands_of(row)) for row in BandTable.objects.select_related("set_by")[:SHOWN]
        ),
        scale=tuple((grade, points_of(grade), words[grade - 1]) for grade in range(5, 0, -1)),
        scale_history=scales,
        lists=_list_tasks(),
    )


def _list_tasks() -> tuple[ListTask, ...]:
    tasks = Task.objects.filter(answer_form=AnswerForm.LIST).order_by("-id")[:SHOWN]
    rows: list[tuple[Any, ...]] = list(tasks.values_list("pk", "key", "title", "language"))
    demands = {
        pk: (number, what)
        for pk, number, what in ListDemand.objects.filter(
            task__in=[row[0] for row in rows]
        ).values_list("task", "number", "what")
    }
    return tuple(
        ListTask(key, title or key, language, *demands.get(pk, (None, "")))
        for pk, key, title, language in rows
    )
