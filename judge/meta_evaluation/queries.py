"""A senior's check of a scored anchor, read for its page. The scorer and the model stay unnamed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.text import storable
from judge.anchors.models import MetaEvaluation
from judge.candidates import steering_rules
from judge.candidates.models import Response
from judge.scoring.sheet_page import came_back, lines_of, rank_of
from judge.sheets import rules
from judge.sheets.models import Sheet, SheetLine
from rubrics.versions.task_text import TaskText, task_text


@dataclass(frozen=True)
class Word:
    """One scorer's verdict with its reason; `who` is 1 or 2, 0 where there is one scorer."""

    who: int
    met: bool | None
    rationale: str


@dataclass(frozen=True)
class CheckLine:
    """One line with its scorer's verdict, and what the senior has said of it so far."""

    pk: int
    n: int
    text: str
    importance: str
    met: bool | None
    rationale: str
    agrees: str  # "true", "false", "met" or "unmet" (what counts instead), or "" while open
    remark: str
    before: str  # the remark of the check that sent the sheet back
    error: str = ""
    double: bool = False  # two people scored it; the second one's word follows
    second_met: bool | None = None
    second_rationale: str = ""

    @property
    def state(self) -> str:
        """The tick's word: yes, no, wait (corrected or settled) or open."""
        return {"true": "yes", "false": "no", "met": "wait", "unmet": "wait"}.get(
            self.agrees, "open"
        )

    @property
    def disputed(self) -> bool:
        """Whether the two scorers differ."""
        return self.double and self.met != self.second_met

    @property
    def opposite(self) -> str:
        """The verdict a correction of this line would give."""
        return "unmet" if self.met else "met"

    @property
    def words(self) -> "tuple[Word, ...]":
        """What each scorer said."""
        first = Word(1 if self.double else 0, self.met, self.rationale)
        return (first, Word(2, self.second_met, self.second_rationale)) if self.double else (first,)


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
    rubric_changed: bool = False  # since a senior checked this response before

    @property
    def title(self) -> str:
        """The task's title."""
        return self.task.title or self.key

    @property
    def words(self) -> int:
        return storable.word_count(self.response)

    @property
    def shown(self) -> str:
        """The response with signs that nobody would see spelt out."""
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
        """Lines on which two scorers differ."""
        return sum(line.disputed for line in self.lines)

    @property
    def one_sided(self) -> bool | None:
        """True or False where every line has that verdict, as it stands now; else None.

        Such a response is a poor example: the judge sees only one kind of verdict.
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
    assert evaluation.sheet_id is not None, "an open check has its sheet"
    sheet = Sheet.objects.get(pk=evaluation.sheet_id)
    draft = evaluation.draft if typed is None else typed
    before = came_back(sheet.pk)
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
                before=before.said.get(line.key, ""),
                error=errors.get(f"remark-{line.pk}") or errors.get(f"line-{line.pk}", ""),
                double=line.pk in second,
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
