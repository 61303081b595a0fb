"""The form of one line of a file of tasks."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import AfterValidator, ValidationInfo, create_model

from curation.base.text import storable
from curation.base.web.fields import FIRST, LAST
from curation.tasks.task.fields import FIELD, TEXT_PARTS
from curation.tasks.task.models import AnswerForm, Origin
from judge.base.json_lines.reading import LONGEST, Line, a_name, accepted, text_problem
from judge.gold.transfer import rubrics
from judge.gold.transfer.demand_line import DemandLine, known_form
from judge.gold.transfer.exact_line import ExactLine
from judge.gold.transfer.rubrics import RubricLine
from judge.gold.transfer.task_files import FileLine


def _part(text: str, info: ValidationInfo[dict[str, bool]]) -> str:
    limit = LONGEST if info.context["external"] else storable.MAX_TEXT
    return accepted(text, text_problem(text, limit=limit))


def _written(text: str) -> str:
    return accepted(text, _("This text is empty.") if storable.is_blank(text) else None)


def _fact(name: str) -> AfterValidator:
    """Return the rule of a fact about a task: what the editor would take."""
    return AfterValidator(lambda value: accepted(value, FIELD[name].problem_with(value)))


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


_FIELDS: dict[str, Any] = {
    "id": Annotated[str, a_name(120)],
    "domain": Annotated[str, a_name(60)],
    "category": (Annotated[str, a_name(60)], ""),
    "language": (Annotated[str, a_name(10)], ""),
    "title": (Annotated[str, a_name(FIELD["title"].limit)], ""),
    "minutes": (Annotated[int | None, _fact("minutes")], None),
    "rate_band": (Annotated[str, _fact("rate_band")], ""),
    "change": (Annotated[str, _fact("change")], ""),
    "sources": (Annotated[str, _fact("sources")], ""),
    "work_type": (Annotated[str, a_name(60)], ""),
    "valid_until": (Annotated[str, AfterValidator(_day)], ""),
    "origin": (Annotated[str, AfterValidator(_origin)], ""),
    "owner": (Annotated[str, a_name(200)], ""),
    "permission": (PermissionLine | None, None),
    "collected_on": (Annotated[str, AfterValidator(_day)], ""),
    "hourly_rate": (Annotated[str | int | float | None, AfterValidator(_amount)], None),
    **dict.fromkeys(TEXT_PARTS, (Part, "")),
    "requirements": Annotated[Part, AfterValidator(_written)],
    "labels": (list[Annotated[str, a_name(120)]], []),
    "answer_form": (Annotated[str, AfterValidator(known_form)], AnswerForm.TEXT),
    "exact": (ExactLine | None, None),
    "demand": (DemandLine | None, None),
    "rubric": (list[RubricLine], []),
    "files": (list[FileLine], []),
}
FACTS = ("title", "minutes", "rate_band", "change", "sources")
# What only a task from business has.
COLLECTED = ("owner", "permission", "collected_on", "hourly_rate")
# A line of a file of tasks. Context: `external`, whether it is of another benchmark; `collected`,
# whether it comes from business.
TaskLine = create_model("TaskLine", __base__=_TaskLine, **_FIELDS)


def with_line_feeds(text: str) -> str:
    """Return a text with `\\n` line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
