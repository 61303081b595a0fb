"""The form of one line of a file of tasks."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import AfterValidator, ValidationInfo, create_model

from curation.tasks.fields import FIELD, TEXT_PARTS
from curation.tasks.models import AnswerForm
from curation.text import storable
from judge.transfer import rubrics
from judge.transfer.exact_line import ExactLine, known_form
from judge.transfer.reading import LONGEST, Line, a_name, accepted, text_problem
from judge.transfer.rubrics import RubricLine
from judge.transfer.task_files import FileLine


def _part(text: str, info: ValidationInfo[dict[str, bool]]) -> str:
    limit = LONGEST if info.context["external"] else storable.MAX_TEXT
    return accepted(text, text_problem(text, limit=limit))


def _written(text: str) -> str:
    return accepted(text, _("This text is empty.") if storable.is_blank(text) else None)


def _fact(name: str) -> AfterValidator:
    """Return the rule of a fact about a task: what the editor would take."""
    return AfterValidator(lambda value: accepted(value, FIELD[name].problem_with(value)))


Part = Annotated[str, AfterValidator(_part)]


class _TaskLine(Line):
    parts = {"rubric": RubricLine, "files": FileLine, "exact": ExactLine}

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
    **dict.fromkeys(TEXT_PARTS, (Part, "")),
    "requirements": Annotated[Part, AfterValidator(_written)],
    "labels": (list[Annotated[str, a_name(120)]], []),
    "answer_form": (Annotated[str, AfterValidator(known_form)], AnswerForm.TEXT),
    "exact": (ExactLine | None, None),
    "rubric": (list[RubricLine], []),
    "files": (list[FileLine], []),
}
FACTS = ("title", "minutes", "rate_band", "change", "sources")
# A line of a file of tasks. Context: `external`, whether it is of another benchmark.
TaskLine = create_model("TaskLine", __base__=_TaskLine, **_FIELDS)


def with_line_feeds(text: str) -> str:
    """Return a text with `\\n` line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
