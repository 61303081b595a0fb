"""What staff import in the browser: fields of a table by kind, and who may import which."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.access.duties import Duty, sentence_on_missing
from curation.base.access.permissions import allows
from curation.base.records.kind import RecordKind
from curation.tasks.task.fields import FIELDS
from curation.tasks.task.fields import Field as TaskField
from curation.tasks.task.fields import Kind as TaskKind
from judge.gold.transfer.import_models import DataImport
from judge.gold.transfer.responses import Responses
from judge.gold.transfer.scores import Scores
from judge.gold.transfer.tasks import Tasks

Kind = DataImport.Kind


class Form(StrEnum):
    """How a cell is read."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    YES_NO = "yes_no"
    LIST = "list"
    JSON = "json"
    MET = "met"  # the score of one line: 1, 0, or empty for an abstention


@dataclass(frozen=True)
class Field:
    """A field of the contract.

    Attributes:
        key: its name in JSON lines; "rubric.…" for one of a line of the rubric, where a row of
            the table is such a line.
        names: heads of columns that mean it, in lower case, beside the key and the labels.
        needed: whether nothing can be imported without it.
        fixed: whether one value may hold for the whole file.
    """

    key: str
    label: Any
    form: Form = Form.TEXT
    names: tuple[str, ...] = ()
    needed: bool = False
    fixed: bool = False


RUBRIC_LINE = (
    Field("rubric.id", _("Rubric: id of the line"), names=(
        "criterion id", "line id", "criterion", "rubric id", "kriterium", "kriterium-id",
        "评分项编号", "条目编号", "标准编号",
    )),
    Field("rubric.text", _("Rubric: text of the line"), names=(
        "criterion text", "line text", "rubric text", "rubric line", "description", "checkpoint",
        "kriteriumstext", "beschreibung", "评分项", "评分标准", "条目", "标准", "检查点",
    )),
    Field("rubric.importance", _("Rubric: importance"), names=(
        "importance", "priority", "level", "wichtigkeit", "bedeutung", "重要性", "重要程度",
    )),
    Field("rubric.weight", _("Rubric: weight"), Form.INTEGER, (
        "weight", "points", "gewicht", "gewichtung", "punkte", "权重", "分值",
    )),
    Field("rubric.dimension", _("Rubric: dimension"), names=(
        "dimension", "tag", "aspect", "dimension tag", "aspekt", "维度", "评价维度",
    )),
)  # fmt: skip


def _of_a_task(one: TaskField) -> Field:
    """Return the field that a column of a table of tasks can be."""
    form = Form.INTEGER if one.kind is TaskKind.NUMBER else Form.TEXT
    heads = tuple(filter(None, one.heads.split(", ")))
    needed = one.name == "requirements"  # the one text that any benchmark has
    return Field(one.name, one.label, form, heads, needed, one.fixed)


TASKS = (
    Field("id", _("Id of the task"), names=(
        "task", "task id", "task_id", "key", "nr", "no", "number", "aufgabe", "aufgaben-id",
        "aufgabennummer", "编号", "任务编号", "题号", "任务id", "题目编号",
    ), needed=True),
    Field("domain", pgettext_lazy("of a task", "Domain"), names=(
        "field", "area", "profession", "subject", "bereich", "fachgebiet", "gebiet", "fach",
        "领域", "行业", "专业",
    ), needed=True, fixed=True),
    *map(_of_a_task, FIELDS),
    Field("labels", _("Labels"), Form.LIST, ("tags", "keywords", "schlagwörter", "标签", "关键词")),
    Field("answer_form", _("Form of the answer"), names=("form", "antwortform", "答案形式")),
    Field("exact", _("Exact answer (JSON)"), Form.JSON),
    Field("demand", _("What a list or selection demands (JSON)"), Form.JSON),
    Field("files", _("Files, by their paths in the archive"), Form.LIST, (
        "file", "attachments", "attachment", "dateien", "anhänge", "附件", "文件",
    )),
    Field("rubric", _("Whole rubric (JSON)"), Form.JSON, (
        "rubrics", "criteria", "checkpoints", "kriterien", "bewertungsschema", "评分细则", "量规",
    )),
)  # fmt: skip

RESPONSES = (
    Field("task", _("Id of the task"), names=(
        "task id", "task_id", "question id", "aufgabe", "aufgaben-id", "任务", "任务编号", "题号",
    ), needed=True),
    Field("id", _("Id of the response"), names=(
        "response id", "response_id", "response", "key", "antwort-id", "编号", "回答编号",
        "答案编号",
    ), needed=True),
    Field("model", _("Model"), names=(
        "candidate", "model name", "system", "modell", "kandidat", "模型", "候选模型",
    ), needed=True, fixed=True),
    Field("text", _("Text of the response"), names=(
        "answer", "output", "completion", "response text", "antwort", "antworttext", "ausgabe",
        "回答", "答案", "输出", "文本", "回复",
    ), needed=True),
    Field("baseline", _("Whether it is the baseline"), Form.YES_NO, ("basis", "referenz", "基线")),
    Field("latency_s", _("Latency in seconds"), Form.NUMBER, (
        "latency", "seconds", "duration", "dauer", "sekunden", "延迟", "耗时", "秒",
    )),
    Field("cost_usd", _("Cost in US dollars"), Form.NUMBER, (
        "cost", "price", "usd", "kosten", "费用", "成本",
    )),
)  # fmt: skip

SCORES = (
    Field("task", _("Id of the task"), names=(
        "task id", "task_id", "aufgabe", "aufgaben-id", "任务", "任务编号", "题号",
    ), needed=True),
    Field("response", _("Id of the response"), names=(
        "response id", "response_id", "antwort", "antwort-id", "回答", "回答编号", "答案编号",
    ), needed=True),
    Field("rater", _("Rater"), names=(
        "scorer", "judge", "annotator", "expert", "reviewer", "bewerter", "gutachter", "prüfer",
        "评分人", "评审", "评分者", "专家",
    ), needed=True, fixed=True),
    Field("kind", _("Kind of rater: expert or judge"), names=(
        "rater kind", "type", "art", "类型", "评分者类型",
    ), needed=True, fixed=True),
    Field("criterion", _("Id of the line of the rubric"), names=(
        "line", "criterion id", "line id", "item", "kriterium", "kriterium-id", "评分项",
        "评分项编号", "条目", "标准编号",
    )),
    Field("score", _("Score"), Form.MET, (
        "met", "value", "points", "result", "verdict", "erfüllt", "wertung", "bewertung", "punkte",
        "得分", "分数", "评分", "是否满足",
    )),
    Field("rationale", _("Rationale of the line"), names=(
        "why", "reason", "comment", "explanation", "begründung", "kommentar", "理由", "说明",
        "评语",
    )),
    Field("grade", _("Grade of the whole response, 1 to 5"), Form.INTEGER, ("note", "等级")),
    Field("analysis", _("Analysis beside the grade"), names=("analyse", "分析")),
    Field("skipped", _("Why the judge was not asked")),
    Field("method", _("Method of judging"), names=("methode", "方法")),
    Field("findings", _("Findings (JSON)"), Form.JSON),
    Field("failed", _("Why the judge failed")),
    Field("scores", _("All scores (JSON)"), Form.JSON),
    Field("rationales", _("All rationales (JSON)"), Form.JSON),
)  # fmt: skip

# A row of the second table of tasks is a line of a rubric: which task it is of, and the line.
RUBRIC_TABLE = (
    Field("task", _("Id of the task"), names=TASKS[0].names, needed=True),
    *RUBRIC_LINE,
)
MAPPED_VALUES = ("domain", "rubric.importance", "rubric.dimension", "kind")


@dataclass(frozen=True)
class ImportKind:
    """What staff can import in the browser.

    Attributes:
        fields: what a column of a table can be.
        start: an upload, its archive of files -> the import.
        tasks: whether it holds tasks, which are for those who edit; else for those who score.
    """

    fields: tuple[Field, ...]
    start: Callable[[DataImport, Path | None], RecordKind]
    tasks: bool = False


def _tasks(row: DataImport, archive: Path | None) -> RecordKind:
    return Tasks(
        external=row.kind == Kind.EXTERNAL,
        author=row.author,
        by=row.asked_by,
        new_version=bool(row.options.get("new_version")),
        files=archive,
    )


def _responses(row: DataImport, archive: Path | None) -> RecordKind:
    return Responses(replace_unstorable=bool(row.options.get("replace_unstorable")))


def _scores(row: DataImport, archive: Path | None) -> RecordKind:
    return Scores(held_out_reason=str(row.options.get("held_out_reason", "")))


KINDS: dict[str, ImportKind] = {
    Kind.EXTERNAL: ImportKind(TASKS + RUBRIC_LINE, _tasks, tasks=True),
    Kind.DRAFTS: ImportKind(TASKS + RUBRIC_LINE, _tasks, tasks=True),
    Kind.RESPONSES: ImportKind(RESPONSES, _responses),
    Kind.SCORES: ImportKind(SCORES, _scores),
}


def fields_of(kind: str) -> tuple[Field, ...]:
    """Return what a column of a file of this kind can be."""
    return KINDS[kind].fields


def by_key(fields: Iterable[Field]) -> dict[str, Field]:
    return {field.key: field for field in fields}


def fixed_fields(kind: str) -> list[Field]:
    """Return the fields of which one value may hold for the whole file."""
    return [field for field in fields_of(kind) if field.fixed]


# --- who may import it ---------------------------------------------------------------------------


def holds_tasks(user: Any, thing: Any) -> bool:
    """Whether tasks are imported; the thing is an upload or a kept mapping."""
    return KINDS[thing.kind].tasks


def holds_scores(user: Any, thing: Any) -> bool:
    """Whether responses or scores are imported; the thing is an upload or a kept mapping."""
    return not holds_tasks(user, thing)


def permission_for(kind: str) -> str:
    """Return the permission to upload a file of this kind."""
    return "import.tasks" if KINDS[kind].tasks else "import.scores"


def kinds_for(person: Any) -> list[tuple[str, Any]]:
    """Return the choices of kinds that a person may import; all for one who only reads."""
    found = [one for one in Kind.choices if allows(person, permission_for(one[0]))]
    return found or list(Kind.choices)


def why_not(person: Any, row: DataImport) -> str:
    """Say which duty a person who imports other things lacks for this upload; "" for none."""
    if allows(person, "import.change", row) or not allows(person, "import"):
        return ""  # whoever imports nothing at all is told so by `config.duty_buttons`
    return sentence_on_missing(Duty.EDITING if holds_tasks(person, row) else Duty.SCORING)
