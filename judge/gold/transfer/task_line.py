"""One line of a file of tasks: its form, and the task as it will be stored."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import AfterValidator, ValidationInfo, create_model

from curation.base.records.json_lines import LONGEST, Line, a_name, accepted, text_problem
from curation.base.text import storable
from curation.base.web.fields import FIRST, LAST
from curation.tasks.task.fields import FIELDS, Field, Kind
from curation.tasks.task.models import AnswerForm, Origin
from judge.gold.transfer import exact_line, rubrics
from judge.gold.transfer.demand_line import DemandLine, known_form
from judge.gold.transfer.exact_line import Exact, ExactLine
from judge.gold.transfer.rubrics import RubricLine
from judge.gold.transfer.task_files import FileLine, FoundFile


def _part(text: str, info: ValidationInfo[dict[str, bool]]) -> str:
    limit = LONGEST if info.context["external"] else storable.MAX_TEXT
    return accepted(text, text_problem(text, limit=limit))


def _written(text: str) -> str:
    return accepted(text, _("This text is empty.") if storable.is_blank(text) else None)


def _day(text: str) -> str:
    """Return the rule of a day as ISO 8601."""
    try:
        known = FIRST <= date.fromisoformat(text) <= LAST and len(text) == 10
    except ValueError:
        known = False
    return accepted(text, None if known else _("Write the day as 2026-11-25."))


_ORIGINS = (Origin.OWN, Origin.EXTERNAL, Origin.COLLECTED)  # a skill is no task of a file


def _origin(text: str, info: ValidationInfo[dict[str, bool]]) -> str:
    if text not in _ORIGINS:
        return accepted(text, _("This is one of: %s.") % ", ".join(_ORIGINS))
    fits = (text == Origin.COLLECTED) == bool(info.context.get("collected"))
    if text == Origin.COLLECTED and not fits:
        return accepted(text, _("Import tasks from business with --collected."))
    return accepted(text, None if fits else _("With --collected every task is from business."))


def _amount(value: str | int | float | None) -> str | int | float | None:
    return accepted(value, None if value is None or amount_of(value) else str(_AMOUNT_WANTED))


def amount_of(value: str | int | float) -> Decimal | None:
    """Return an amount of money with at most two digits after the point; None for others."""
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        return None
    usable = amount.is_finite() and amount > 0 and amount == round(amount, 2)
    return amount if usable else None


_AMOUNT_WANTED = gettext_lazy("Give an amount above zero with at most two digits after the point.")


class PermissionLine(Line):
    """The permission of the owner of a task from business."""

    by: Annotated[str, a_name(200)]
    on: Annotated[str, AfterValidator(_day)]
    scope: Annotated[str, AfterValidator(_written)]
    text: str = ""
    document: str = ""


Part = Annotated[str, AfterValidator(_part)]


class _TaskLine(Line):
    parts = {"rubric": RubricLine, "files": FileLine, "exact": ExactLine, "demand": DemandLine}

    @classmethod
    def repetitions(
        cls, line: Mapping[str, Any], context: Mapping[str, Any]
    ) -> Iterable[tuple[str, str]]:
        names = ("id",) if context["external"] else ("id", "text")
        return rubrics.repetitions(line.get("rubric"), names)


def _of_a_task(field: Field) -> tuple[Any, Any]:
    """Return type and default of a field of a task. Texts of other benchmarks may be longer."""
    rule = AfterValidator(lambda value: accepted(value, field.problem_with(value)))
    match field.kind:
        case Kind.TEXT:
            return Part, ""
        case Kind.LINE:
            return Annotated[str, a_name(field.limit)], ""
        case Kind.CATEGORY | Kind.WORK_TYPE:
            return Annotated[str, a_name(60)], ""
        case Kind.LANGUAGE:  # another benchmark may have codes of its own
            return Annotated[str, a_name(10)], ""
        case Kind.DAY:
            return Annotated[str, AfterValidator(_day)], ""
        case Kind.NUMBER:
            return Annotated[int | None, rule], None
        case _:
            return Annotated[str, rule], ""


_FIELDS: dict[str, Any] = {
    "id": Annotated[str, a_name(120)],
    "domain": Annotated[str, a_name(60)],
    **{field.name: _of_a_task(field) for field in FIELDS},
    "origin": (Annotated[str, AfterValidator(_origin)], ""),
    "owner": (Annotated[str, a_name(200)], ""),
    "permission": (PermissionLine | None, None),
    "collected_on": (Annotated[str, AfterValidator(_day)], ""),
    "hourly_rate": (Annotated[str | int | float | None, AfterValidator(_amount)], None),
    "requirements": Annotated[Part, AfterValidator(_written)],
    "labels": (list[Annotated[str, a_name(120)]], []),
    "answer_form": (Annotated[str, AfterValidator(known_form)], AnswerForm.TEXT),
    "exact": (ExactLine | None, None),
    "demand": (DemandLine | None, None),
    "rubric": (list[RubricLine], []),
    "files": (list[FileLine], []),
}
# What of the table is stored as the line has it, where it has it.
FACTS = tuple(f.name for f in FIELDS if f.kind not in (Kind.TEXT, Kind.CATEGORY, Kind.LANGUAGE))
# What only a task from business has.
COLLECTED = ("owner", "permission", "collected_on", "hourly_rate")
# A line of a file of tasks. Context: `external`, whether it is of another benchmark; `collected`,
# whether it comes from business.
TaskLine = create_model("TaskLine", __base__=_TaskLine, **_FIELDS)


def with_line_feeds(text: str) -> str:
    """Return a text with `\\n` line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


# --- as it will be stored ------------------------------------------------------------------------
@dataclass(frozen=True)
class Wanted:
    """A task as the file has it."""

    line: int
    key: str
    domain: str
    category: str
    language: str
    labels: list[str]
    texts: dict[str, str]
    facts: dict[str, Any]  # title, minutes, …: those that the line has
    rubric: tuple[dict[str, Any], ...]
    form: str  # of the answer
    exact: Exact | None  # for a task with an exact answer
    demand: dict[str, Any] | None
    files: tuple[FoundFile, ...] | None  # None: the line says nothing of files

    @property
    def sha256(self) -> str:
        content: list[Any] = [self.domain, self.category, self.language, self.labels]
        content += [self.texts, self.rubric]
        # Appended only where there are any, so that the hashes of older imports still match.
        content += [self.facts] if self.facts else []
        content += [[file.mark for file in self.files]] if self.files is not None else []
        content += [exact_line.plain(self.exact)] if self.exact is not None else []
        if self.form not in (AnswerForm.TEXT, AnswerForm.EXACT):
            content += [self.form, self.demand]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        """The beginning of the requirements, for a line without a title."""
        return Truncator(" ".join(self.texts["requirements"].split())).chars(80)

    @property
    def draft_texts(self) -> dict[str, str]:
        """The texts of a draft; the words of an exact answer are written with the answer."""
        exact = self.exact is not None
        return {n: text for n, text in self.texts.items() if not exact or n != "reference_answer"}
