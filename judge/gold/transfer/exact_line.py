"""The exact answer of a task in a file of tasks: its form, its check, its storage, its export."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import AfterValidator

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Line, Record, accepted, quoted
from curation.base.text.short_answers import Expected
from curation.base.web.refusals import BadInput
from curation.tasks.task import exact_checks as checks
from curation.tasks.task.exact_actions import WRITTEN, clean_exact, clean_steps, write_exact
from curation.tasks.task.exact_checks import Step, Written
from curation.tasks.task.exact_models import ExactAnswer, SolutionStep
from curation.tasks.task.exact_queries import QUESTION
from curation.tasks.task.models import AnswerForm, Change, Task
from rubrics.versions.lines import KEY, line_for

_DATES = ("cutoff", "source_date")


def _day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    usable = day is not None and 1900 <= day.year <= 2999
    return accepted(text, None if usable else _("Write a day such as 2024-12-31."))  # type: ignore[no-any-return]


def _decimal(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return accepted(value, _("This must be a number, not %(v)s.") % {"v": quoted(value)})
    try:
        Decimal(str(value))
    except InvalidOperation:
        return accepted(value, _("This must be a number, not %(v)s.") % {"v": quoted(value)})
    return value


Day = Annotated[str, AfterValidator(_day)]


class StepLine(Line):
    """One step of a solution."""

    text: str
    source: str = ""
    source_date: Day | None = None


class ExactLine(Line):
    """The exact answer of a task, and what its author says of it."""

    answer: str
    kind: str = ExactAnswer.Kind.WORDS
    tolerance: Annotated[Any, AfterValidator(_decimal)] = None
    tolerance_is_percent: bool = False
    unit: str = ""
    alternatives: list[str] = []
    level: int | None = None
    cutoff: Day | None = None
    why_unique: str = ""
    why_stable: str = ""
    steps: list[StepLine] = []


Exact = dict[str, Any]  # the values of `WRITTEN` as they are stored, and "steps"


def read_exact(record: Record, faults: Faults, *, external: bool) -> Exact | None:
    """Return the exact answer of a line as it is stored; None for a line without one.

    Adds a fault where the form and the answer do not go together, where a value cannot be stored,
    and for an own task also where a submission would be refused.
    """
    form, given = record.get("answer_form", AnswerForm.TEXT), record.get("exact")
    if form != AnswerForm.EXACT:
        if given is not None:
            faults.add(record.line, "exact", _("Only a task of the form “exact” has this."))
        return None
    if given is None:
        if not any(f.line == record.line and f.field.startswith("exact") for f in faults.found):
            faults.add(record.line, "exact", _("A task of the form “exact” needs its answer."))
        return None
    try:
        values = clean_exact(_values(given))
        values["steps"] = clean_steps([Step(**_dates(step)) for step in given.get("steps") or []])
    except BadInput as refusal:
        for name, sentences in refusal.fields.items():
            faults.add(record.line, f"exact.{name}", sentences[0])
        return None
    gaps = checks.gaps(_written(values, record), changes=record.get("change") == Change.DYNAMIC)
    for name, sentences in gaps.items() if not external else ():
        faults.add(record.line, f"exact.{name}", sentences[0])
    if external and "answer" in gaps:
        faults.add(record.line, "exact.answer", gaps["answer"][0])
    words = checks.in_words(_expected(values))
    if record.get("reference_answer", words) != words:
        faults.add(
            record.line,
            "reference_answer",
            _("It is made from the exact answer (%(words)s). Leave it out.")
            % {"words": quoted(words)},
        )
    return values


def _values(given: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in given.items() if value is not None}
    values = {name: plain.get(name, ExactLine.model_fields[name].default) for name in WRITTEN}
    tolerance = values["tolerance"]
    return _dates(values) | {"tolerance": None if tolerance is None else Decimal(str(tolerance))}


def _dates(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: date.fromisoformat(value) if name in _DATES and value else value
        for name, value in values.items()
    }


def _expected(values: Mapping[str, Any]) -> Expected:
    return ExactAnswer(**{name: values[name] for name in WRITTEN}).expected


def _written(values: Exact, record: Record) -> Written:
    return Written(
        expected=_expected(values),
        level=values["level"],
        cutoff=values["cutoff"],
        why_unique=values["why_unique"],
        why_stable=values["why_stable"],
        steps=values["steps"],
        question={name: record.get(name, "") for name in QUESTION},
    )


def words_of(exact: Exact) -> str:
    """Return an exact answer on one line, as it is stored as the reference answer."""
    return checks.in_words(_expected(exact))


def rubric_of(exact: Exact, language: str) -> tuple[dict[str, Any], ...]:
    """Return the one line of a task of another benchmark whose file has no rubric."""
    answer = ExactAnswer(**{name: exact[name] for name in WRITTEN})
    return (line_for(Task(language=language), answer),)


def is_made_from_the_answer(rubric: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a rubric is the one line that the machine makes from an exact answer."""
    return [line.get("id") or line.get("key") for line in rubric] == [KEY]


def plain(exact: Mapping[str, Any]) -> dict[str, Any]:
    """Return an exact answer in the form of a file, without empty fields."""
    found = {name: _plain(exact[name]) for name in WRITTEN}
    found["steps"] = [
        {name: _plain(value) for name, value in vars(step).items() if value}
        for step in exact["steps"]
    ]
    return {name: value for name, value in found.items() if value or name == "answer"}


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return value.isoformat() if isinstance(value, date) else value


def stored_answers(tasks: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return task -> its exact answer in the form of a file. Two queries."""
    steps: dict[int, list[Step]] = {}
    rows = SolutionStep.objects.filter(exact__task__in=list(tasks)).order_by("exact", "position")
    for task, text, source, day in rows.values_list("exact__task", "text", "source", "source_date"):
        steps.setdefault(task, []).append(Step(text, source, day))
    return {
        row["task_id"]: plain({**row, "steps": steps.get(row["task_id"], [])})
        for row in ExactAnswer.objects.filter(task__in=list(tasks)).values("task_id", *WRITTEN)
    }


def store(task: Task, exact: Exact) -> None:
    """Store the exact answer of an imported task."""
    row, _made = ExactAnswer.objects.get_or_create(task=task)
    values = {name: exact[name] for name in WRITTEN}
    write_exact(task, row, values, exact["steps"])
