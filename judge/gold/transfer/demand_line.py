"""The form of a task's answer and what it demands, in a file of tasks."""

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from pydantic import create_model

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Line, Record, accepted
from curation.tasks.task.demands import FIELDS, demands_of, problems_with
from curation.tasks.task.fields import Kind
from curation.tasks.task.models import AnswerForm, Task
from rubrics.versions.lines import question_and_answer


class _DemandLine(Line):
    """How many of what a task asks for, and of which pool."""


_TYPES: dict[Kind, Any] = {Kind.NUMBER: (int | None, None)}
DemandLine = create_model(
    "DemandLine",
    __base__=_DemandLine,
    **{field.name: _TYPES.get(field.kind, (str, "")) for field in FIELDS},
)


def known_form(value: str) -> str:
    """Refuse an unknown form of answers."""
    problem = _("This must be one of: %(names)s.") % {"names": ", ".join(AnswerForm.values)}
    return accepted(value, None if value in AnswerForm.values else problem)  # type: ignore[no-any-return]


def form_of(record: Record) -> str:
    """Return the form of answers of a line."""
    return str(record.get("answer_form", AnswerForm.TEXT))


def read_demand(record: Record, faults: Faults) -> dict[str, Any] | None:
    """Return what the task of a line demands; None for nothing. Adds a fault for each mistake."""
    given = record.get("demand")
    if given is None:
        return None
    demand = {name: value for name, value in dict(given).items() if value not in (None, "")}
    # Another task with this id has the demand it has; whether they differ is said elsewhere.
    problems = problems_with(Task(answer_form=form_of(record)), form_of(record), demand)
    for name, sentences in problems.items():
        faults.add(record.line, f"demand.{name}", sentences[0])
    return None if problems else demand


def check_questions(record: Record, faults: Faults) -> None:
    """Add a fault for each question of an own profile task that has no right answer."""
    if form_of(record) != AnswerForm.PROFILE:
        return
    for n, line in enumerate(record.get("rubric") or [], start=1):
        text = line.get("text") if isinstance(line, dict) else None
        if isinstance(text, str) and not question_and_answer(text, "")[1]:
            faults.add(
                record.line,
                f"rubric[{n}].text",
                _("A question needs its right answer after “|”."),
            )


def stored_demands(tasks: Collection[int]) -> dict[int, dict[str, Any]]:
    """Return task -> what it demands, in the form of a file. One query for each such form."""
    return demands_of(tasks)
