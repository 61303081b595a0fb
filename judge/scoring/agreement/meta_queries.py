"""A senior's check of a scored anchor as its page shows it, without the scorer and the model."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.base.text import storable
from judge.asking.candidates import steering_rules
from judge.asking.candidates.models import Response
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.pages.sheet_page import last_send_back, lines_of, rank_of
from judge.scoring.sheets import rules
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.task_text import TaskText, task_text


@dataclass(frozen=True)
class ScorerVerdict:
    """A scorer's verdict with its rationale; `who` is 1 or 2, or 0 if there is one scorer."""

    who: int
    met: bool | None
    rationale: str


@dataclass(frozen=True)
class CheckLine:
    """A line with its scorers' verdicts and the senior's opinion so far."""

    pk: int
    n: int
    text: str
    importance: str
    met: bool | None
    rationale: str
    agrees: str  # "true", "false", the verdict that counts instead ("met", "unmet"), "" if open
    remark: str
    before: str  # the remark of the check that sent the sheet back
    error: str = ""
    scored_twice: bool = False
    second_met: bool | None = None
    second_rationale: str = ""

    @property
    def state(self) -> str:
        """Return "yes", "no", "wait" (corrected or settled) or "open", for the tick."""
        return {"true": "yes", "false": "no", "met": "wait", "unmet": "wait"}.get(
            self.agrees, "open"
        )

    @property
    def disputed(self) -> bool:
        """Whether the two scorers differ."""
        return self.scored_twice and self.met != self.second_met

    @property
    def pk_text(self) -> str:
        """Return the id as text, for the template filter `add`."""
        return str(self.pk)

    @property
    def opposite(self) -> str:
        """Return the verdict that a correction of this line would set."""
        return "unmet" if self.met else "met"

    @property
    def verdicts(self) -> tuple[ScorerVerdict, ...]:
        """Return the verdict of each scorer."""
        if not self.scored_twice:
            return (ScorerVerdict(0, self.met, self.rationale),)
        return (
            ScorerVerdict(1, self.met, self.rationale),
            ScorerVerdict(2, self.second_met, self.second_rationale),
        )


@dataclass(frozen=True)
class CheckPage:
    """A response with its sheet and the senior's check of it."""

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
    rubric_changed: bool = False  # since the earlier check of this response

    @property
    def title(self) -> str:
        """Return the title of the task, or its key."""
        return self.task.title or self.key

    @property
    def words(self) -> int:
        return storable.word_count(self.response)

    @property
    def shown(self) -> str:
        """Return the response with its invisible characters spelt out."""
        return steering_rules.visible(self.response)

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
    def corrected(self) -> int:
        return self.ticks.count("wait")

    @property
    def left(self) -> int:
        return self.ticks.count("open")

    @property
    def disputed(self) -> int:
        """Return the number of lines on which two scorers differ."""
        return sum(line.disputed for line in self.lines)

    @property
    def one_sided(self) -> bool | None:
        """Return the verdict that all lines have so far; None if they differ or one is disputed.

        Such a response is a poor example, because it shows the judge only one kind of verdict.
        """
        now = {
            {"met": True, "unmet": False}.get(line.agrees, line.met)
            for line in self.lines
            if not (line.disputed and line.agrees not in ("met", "unmet"))
        }
        whole = not any(
            line.disputed and line.agrees not in ("met", "unmet") for line in self.lines
        )
        return next(iter(now)) if whole and len(now) == 1 else None

    @property
    def current(self) -> CheckLine | None:
        """Return the first line that was refused, else the first open one; None without any."""
        faulty = next((line for line in self.lines if line.error), None)
        return faulty or next((line for line in self.lines if line.state == "open"), None)


def check_page(
    evaluation: MetaEvaluation,
    *,
    typed: dict[str, str] | None = None,
    fields: dict[str, Any] | None = None,
) -> CheckPage:
    """Return what a senior sees of a check. Eight queries.

    Args:
        evaluation: an open check, annotated with `response_id`, `task_id` and `task_key`.
        typed: the refused form (field -> text); None shows the saved draft.
        fields: the messages of the refusal by field.
    """
    response_id: int = evaluation.response_id  # type: ignore[attr-defined]
    task_id: int = evaluation.task_id  # type: ignore[attr-defined]
    assert evaluation.sheet_id is not None, "an open check has its sheet"
    sheet = Sheet.objects.get(pk=evaluation.sheet_id)
    draft = evaluation.draft if typed is None else typed
    before = last_send_back(sheet.pk)
    second: dict[int, tuple[bool | None, str]] = {}
    if evaluation.second_id is not None:
        rows = SheetLine.objects.filter(sheet=evaluation.second_id)
        second = {
            pk: (met, why) for pk, met, why in rows.values_list("criterion", "met", "rationale")
        }
    errors = {name: str(sentences[0]) for name, sentences in (fields or {}).items()}
    return CheckPage(
        anchor=evaluation.anchor_id,
        number=evaluation.number,
        letter=rules.letter(task_id, rank_of(task_id, response_id)),
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
                before=before.line_remarks.get(line.key, ""),
                error=errors.get(f"remark-{line.pk}") or errors.get(f"line-{line.pk}", ""),
                scored_twice=line.pk in second,
                second_met=second.get(line.pk, (None, ""))[0],
                second_rationale=second.get(line.pk, (None, ""))[1],
            )
            for line in lines_of(sheet)
        ),
        remarks=draft.get("remarks", ""),
        before=before.remarks,
        revision=evaluation.revision,
        opened_at=evaluation.opened_at,
        saved_at=evaluation.at,
        key=evaluation.task_key,  # type: ignore[attr-defined]
        rubric_changed=sheet.followed_at is not None and evaluation.number > 1,
    )
