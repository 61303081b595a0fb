"""The fields an author fills in for a task or a trial task, one row each.

The editor's page, the API, the checks before a submission, the labels on every page, the lists of
facts, imports, exports, gold releases and the copy of a person's data read this table. A new field
needs a column of `Prompt`, its migration, and a row here; `tests/tasks/task/test_fields.py` holds
everybody to it.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from curation.base.text import storable
from curation.base.web import dates
from curation.base.web.fields import FIRST, LAST
from curation.tasks.task.models import AnswerForm, Change, RateBand

LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,6})?")


class Kind(Enum):
    """The way a field is filled in."""

    LINE = "line"
    TEXT = "text"  # one of the long parts, in Markdown
    LINES = "lines"  # one item per line
    NUMBER = "number"
    CHOICE = "choice"
    CATEGORY = "category"
    WORK_TYPE = "work_type"
    DAY = "day"
    LANGUAGE = "language"


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a task.

    Attributes:
        limit: maximum length of a text in characters, or maximum of a number.
        choices: the options of a `CHOICE`.
        not_chosen: label of the empty option; without one the choice is shown as radio buttons.
        unit: unit of a number, as `ngettext_lazy` by `n`.
        help_text: shown below the field.
        missing: message for an empty field at a submission; without one the field is optional.
        unusable: message for a value that cannot be stored; texts have messages of their own.
        beside: the field whose row it shares on the editor's page.
        heads: heads of columns that mean it in a table of tasks, in lower case and separated by
            commas, beside its name and label.
        fixed: whether one value may hold for all tasks of a table.
    """

    name: str
    label: Any
    kind: Kind
    limit: int = storable.MAX_TEXT
    choices: type[TextChoices] | None = None
    not_chosen: Any = ""
    unit: Any = ""
    help_text: Any = ""
    missing: Any = ""
    unusable: Any = ""
    beside: str = ""
    heads: str = ""
    fixed: bool = False

    @property
    def is_row(self) -> bool:
        """Whether the value is a row of another table, named by its key in files."""
        return self.kind in (Kind.CATEGORY, Kind.WORK_TYPE)

    @property
    def empty(self) -> str | None:
        """What is stored where nothing is filled in."""
        return None if self.is_row or self.kind in (Kind.NUMBER, Kind.DAY) else ""

    def column(self, of: str) -> str:
        """Return the column that a query reads; `of` names that of a row of another table."""
        return f"{self.name}__{of}" if self.is_row else self.name

    @property
    def is_text(self) -> bool:
        return self.kind in (Kind.LINE, Kind.TEXT, Kind.LINES)

    def problem_with(self, value: Any) -> str:
        """Return why a value cannot be stored; empty for a usable one."""
        if self.is_text:
            return storable.problem_with(value, limit=self.limit) or ""
        if self.kind is Kind.NUMBER:
            whole = isinstance(value, int) and not isinstance(value, bool)
            usable = value is None or (whole and 1 <= value <= self.limit)
        elif self.choices is not None:
            usable = value in ("", *self.choices.values)
        elif self.kind is Kind.DAY:
            usable = value is None or (type(value) is date and FIRST <= value <= LAST)
        elif self.kind is Kind.LANGUAGE:
            usable = isinstance(value, str) and bool(LANGUAGE_CODE.fullmatch(value))
        else:
            usable = True  # a category or work type is looked up in its domain
        return "" if usable else str(self.unusable)

    def shown(self, value: Any) -> str:
        """Return a value in words; empty for none."""
        if value in (None, ""):
            return ""
        if self.choices is not None:
            return str(dict(self.choices.choices).get(value, value))
        if isinstance(value, date):
            return dates.day(value)
        return self.unit % {"n": value} if self.unit else str(value).strip()


FIELDS = (
    Field(
        name="title",
        label=_("Title"),
        kind=Kind.LINE,
        limit=200,
        missing=_("Give the task a title, so that colleagues can tell it apart."),
        heads="name, titel, 标题, 题目名称",
    ),
    Field(
        name="category",
        label=_("Category"),
        kind=Kind.CATEGORY,
        missing=_("Choose the category the work belongs to."),
        heads="type, task type, kategorie, typ, 类别, 分类, 类型",
    ),
    Field(
        name="work_type",
        label=_("Work type"),
        kind=Kind.WORK_TYPE,
        not_chosen=_("Not chosen yet"),
        help_text=_("From the domain's work map. It shows which work the tasks cover."),
        heads="work, tätigkeit, 工作类型",
    ),
    Field(
        name="language",
        label=_("Language"),
        kind=Kind.LANGUAGE,
        unusable=_("Give the language as a code, such as en, zh-hans or pt-br."),
        beside="category",
        fixed=True,
        heads="lang, sprache, 语言",
    ),
    Field(
        name="minutes",
        label=_("Minutes a professional needs"),
        kind=Kind.NUMBER,
        unit=ngettext_lazy("%(n)s minute", "%(n)s minutes", "n"),
        limit=10_000,  # about four working weeks; more is a project, not a task
        missing=_("Say how many minutes a professional needs for it."),
        unusable=_("Give the time in whole minutes, from 1 to 10,000."),
        heads="time, duration, minuten, dauer, 用时, 分钟",
    ),
    Field(
        name="rate_band",
        label=_("What an hour costs"),
        kind=Kind.CHOICE,
        choices=RateBand,
        not_chosen=_("Not chosen yet"),
        missing=_("Say what an hour of this work costs; it gives the task a value."),
        unusable=_("Choose one of the rates."),
        beside="minutes",
        heads="hourly rate (band), 时薪（区间）",
    ),
    Field(
        name="change",
        label=_("Over time"),
        kind=Kind.CHOICE,
        choices=Change,
        missing=_("Say whether the right answer stays the same or changes with time."),
        unusable=_("Choose whether the right answer changes with time."),
        heads="whether the answer changes with time, 答案是否随时间变化",
    ),
    Field(
        name="valid_until",
        label=_("Valid until"),
        kind=Kind.DAY,
        help_text=_("Only where the right answer changes: the last day on which it surely holds."),
        unusable=_("Choose a day from 1900 to 2999."),
    ),
    Field(
        name="sources",
        label=_("Sources"),
        kind=Kind.LINES,
        limit=20_000,  # some hundred sources
        help_text=_("One on each line: statutes, standards, data. Models never see them."),
        heads="source, quellen, quelle, 来源, 出处",
    ),
    Field(
        name="scenario",
        label=_("Work scenario"),
        kind=Kind.TEXT,
        missing=_("Describe the work scenario: who you are, what happened, what is at stake."),
        heads="context, background, szenario, kontext, ausgangslage, 场景, 工作场景, 背景",
    ),
    Field(
        name="materials",
        label=_("Materials"),
        kind=Kind.TEXT,
        missing=_("Add the background materials a colleague would have on the desk."),
        heads=(
            "background materials, material, documents, unterlagen, materialien, 材料, "
            "背景材料, 资料"
        ),
    ),
    Field(
        name="requirements",
        label=_("Output requirements"),
        kind=Kind.TEXT,
        missing=_("Say what has to be delivered, and in what form."),
        heads=(
            "prompt, question, task text, instruction, instructions, query, request, "
            "anforderungen, aufgabenstellung, frage, auftrag, 要求, 任务要求, 输出要求, 题目, "
            "问题, 提示词"
        ),
    ),
    Field(
        name="reference_answer",
        label=_("Reference answer"),
        kind=Kind.TEXT,
        missing=_("Write the reference answer you would stand behind."),
        heads=(
            "reference, answer, gold, gold answer, solution, expected, musterlösung, "
            "referenzantwort, lösung, 参考答案, 标准答案, 答案"
        ),
    ),
)
FIELD = {field.name: field for field in FIELDS}
TEXT_PARTS = tuple(field.name for field in FIELDS if field.kind is Kind.TEXT)
PARTS = ("title", *TEXT_PARTS)  # the texts that versions keep and checks read
FACTS = tuple(field.name for field in FIELDS if field.name not in PARTS)
EDITABLE = tuple(FIELD)
ALL_TEXTS = tuple(field.name for field in FIELDS if field.is_text)
# What a task with an exact answer cannot do without; its answer has a page of its own.
EXACT_PARTS = ("title", "requirements")
_EXACT_LABELS = {"requirements": _("Question"), "reference_answer": _("Answer")}
ANSWER_FORM_LABEL = _("What an answer looks like")  # chosen on a page of its own
SOURCE_MISSING = _(
    "The right answer changes, so say where it is looked up: one source on each line."
)

VALIDITY_MISSING = _(
    "The right answer changes, so give the last day on which it surely holds; an expert verifies "
    "it again before that day."
)
OTHER_CATEGORY = _(
    "This work type belongs to the category “%(category)s”. Choose that category, or another work "
    "type."
)


def label_of(name: str, task: Any = None) -> str:
    """Return the label of a field, the same on every page.

    Args:
        task: the task it is about; an exact answer has a question in place of requirements.
    """
    if name == "answer_form":
        return str(ANSWER_FORM_LABEL)
    exact = _EXACT_LABELS.get(name) if answers_exactly(task) else None
    return str(exact or FIELD[name].label)


def answers_exactly(task: Any) -> bool:
    """Return whether an answer to the task is a few words or one number."""
    return bool(getattr(task, "answer_form", "") == AnswerForm.EXACT)


def needed_parts(task: Any) -> tuple[str, ...]:
    """Return the texts that a task must have before it is submitted."""
    return EXACT_PARTS if answers_exactly(task) else PARTS


def shown_parts(task: Any) -> list[tuple[str, str, str]]:
    """Return (name, label, text) of the long texts that pages show.

    An exact answer needs no scenario and no materials, so without them they are not shown; the
    answer itself is shown with its steps, by `tasks/exact_answers/_shown.html`. A skill has nothing
    but the description of its label.
    """
    if task.is_skill:
        return [("scenario", str(_("When a task has this label")), task.scenario)]
    parts = [(name, label_of(name, task), getattr(task, name)) for name in TEXT_PARTS]
    if not answers_exactly(task):
        return parts
    return [
        (name, label, text)
        for name, label, text in parts
        if name != "reference_answer" and (name in EXACT_PARTS or not storable.is_blank(text))
    ]


def missing_parts(task: Any) -> dict[str, list[str]]:
    """Return the empty texts that keep a draft from being submitted: field -> sentences."""
    return {
        name: [
            str(_("Write the question."))
            if name == "requirements" and answers_exactly(task)
            else str(FIELD[name].missing)
        ]
        for name in needed_parts(task)
        if storable.is_blank(getattr(task, name))
    }


def missing_facts(task: Any) -> dict[str, list[str]]:
    """Return the empty facts that a submission requires: field -> sentences. Few queries."""
    found = {
        name: [str(FIELD[name].missing)]
        for name in FACTS
        if FIELD[name].missing and getattr(task, name) in (None, "")
    }
    if getattr(task, "hourly_rate", None):  # exact, so that no band is needed
        found.pop("rate_band", None)
    if "category" in found and not task.domain.categories.exists():
        del found["category"]
    if task.change == Change.DYNAMIC and storable.is_blank(task.sources):
        found["sources"] = [str(SOURCE_MISSING)]
    collected = getattr(task, "collection_id", None) is not None
    if collected and task.change == Change.DYNAMIC and task.valid_until is None:
        found["valid_until"] = [str(VALIDITY_MISSING)]
    work_type = task.work_type
    if work_type and task.category_id and work_type.category_id != task.category_id:
        found["work_type"] = [OTHER_CATEGORY % {"category": work_type.category}]
    return found


def facts_of(task: Any, *, without: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield (label, words) of the facts an author stated, without category and language."""
    for name in FACTS:
        field = FIELD[name]
        if (
            name not in without
            and field.kind not in (Kind.CATEGORY, Kind.LANGUAGE)
            and (words := field.shown(getattr(task, name)))
        ):
            yield str(field.label), words
