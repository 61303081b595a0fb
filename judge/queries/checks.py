"""A senior's check of a scored anchor, read for its page. The scorer and the model stay unnamed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation import text
from judge import scoring
from judge.models import MetaEvaluation, Response, Sheet
from judge.queries.sheet_page import came_back, lines_of, rank_of
from rubrics.reading import TaskText, task_text


@dataclass(frozen=True)
class CheckLine:
    """One line with its scorer's verdict, and what the senior has said of it so far."""

    pk: int
    n: int
    text: str
    importance: str
    met: bool | None
    rationale: str
    agrees: str  # "true", "false" or "" while open
    remark: str
    before: str  # the remark of the check that sent the sheet back
    error: str = ""

    @property
    def state(self) -> str:
        """The tick's word."""
        return {"true": "yes", "false": "no"}.get(self.agrees, "open")


@dataclass(frozen=True)
class CheckPage:
    """A response, its sheet, and the senior's check of it."""

    anchor: int
    number: int
    letter: str
    response: str
    task: TaskText
    lines: tuple[CheckLine, ...]
    remarks: str
    before: str
    revision: int
    opened_at: datetime
    saved_at: datetime
    key: str  # the task's

    @property
    def title(self) -> str:
        """The task's title."""
        return self.task.title or self.key

    @property
    def words(self) -> int:
        return text.word_count(self.response)

    @property
    def ticks(self) -> list[str]:
        return [line.state for line in self.lines]

    @property
    def agreed(self) -> int:
        return self.ticks.count("yes")

    @property
    def disagreed(self) -> int:
        return self.ticks.count("no")

    @property
    def left(self) -> int:
        return self.ticks.count("open")

    @property
    def current(self) -> CheckLine | None:
        """The first line without a word, or one that was refused."""
        faulty = next((line for line in self.lines if line.error), None)
        return faulty or next((line for line in self.lines if line.state == "open"), None)


def check_page(
    evaluation: MetaEvaluation,
    *,
    typed: dict[str, str] | None = None,
    fields: dict[str, Any] | None = None,
) -> CheckPage:
    """Everything a senior sees of a check. Eight queries.

    Args:
        evaluation: an open one, with its `response_id`, `task_id` and `task_key` annotated.
        typed: what was typed and refused, in place of what is kept.
        fields: the refusal's sentences by field.
    """
    response_id: int = evaluation.response_id  # type: ignore[attr-defined]
    task_id: int = evaluation.task_id  # type: ignore[attr-defined]
    sheet = Sheet.objects.get(response=response_id, purpose=Sheet.Purpose.ANCHOR)
    draft = evaluation.draft if typed is None else typed
    before = came_back(evaluation.anchor_id)
    errors = {name: str(sentences[0]) for name, sentences in (fields or {}).items()}
    return CheckPage(
        anchor=evaluation.anchor_id,
        number=evaluation.number,
        letter=scoring.letter(task_id, rank_of(task_id, response_id)),
        response=Response.objects.filter(pk=response_id).values_list("text", flat=True).get(),
        task=task_text(task_id),
        lines=tuple(
            CheckLine(
                pk=line.pk,
                n=line.n,
                text=line.text,
                importance=line.importance,
                met=line.met,
                rationale=line.rationale,
                agrees=draft.get(f"agrees-{line.pk}", ""),
                remark=draft.get(f"remark-{line.pk}", ""),
                before=before.said.get(line.pk, ""),
                error=errors.get(f"remark-{line.pk}") or errors.get(f"line-{line.pk}", ""),
            )
            for line in lines_of(sheet)
        ),
        remarks=draft.get("remarks", ""),
        before=before.remarks,
        revision=evaluation.revision,
        opened_at=evaluation.opened_at,
        saved_at=evaluation.at,
        key=evaluation.task_key,  # type: ignore[attr-defined]
    )
