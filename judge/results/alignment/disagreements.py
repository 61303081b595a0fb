"""The responses on which judge and experts differ most, with the reasons of both."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curation.tasks.task.models import Task
from judge.results.flags.flags import anchor_of
from judge.runs.engine.models import Verdict
from judge.scoring.sheets.models import SheetLine

if TYPE_CHECKING:
    from judge.results.alignment.report import Alignment

WORST = 5  # disagreements shown


@dataclass(frozen=True, slots=True)
class Dispute:
    """One line on which expert and judge differ."""

    text: str
    expert: bool
    expert_why: str
    judge: bool
    judge_why: str
    anchor: str  # of the judge's verdict on the page of its response


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A response whose two scores differ widely."""

    number: int
    task: str
    language: str
    task_id: int
    candidate: str
    expert: float
    judge: float
    response: int
    lines: tuple[Dispute, ...]

    @property
    def difference(self) -> float:
        return self.judge - self.expert

    @property
    def kind_lines(self) -> int:
        return sum(1 for line in self.lines if line.judge)

    @property
    def strict_lines(self) -> int:
        return len(self.lines) - self.kind_lines


def score_points(found: "Alignment") -> list[tuple[int, float, float]]:
    """Return (response, expert score, judge score) in points of 100 where both exist."""
    if found.judge.data.single:
        return []
    return [
        (response, 100 * float(expert), 100 * float(judge))
        for response, expert, judge in found.points
        if judge is not None
    ]


def worst(found: "Alignment") -> tuple[Disagreement, ...]:
    """Return the largest differences of score, largest first. Five queries at most.

    Those on tasks of a closed held-out half are left out, so that nobody tunes a judge to them.
    """
    rows, shut = found.experts.responses, found.coverage.closed
    points = [
        point
        for point in score_points(found)
        if point[1] != point[2] and rows[point[0]].task_id not in shut
    ]
    points.sort(key=lambda point: (-abs(point[2] - point[1]), point[0]))
    chosen = points[:WORST]
    disputes = _disputes(found, [response for response, _e, _j in chosen])
    tasks = Task.objects.only("key", "title", "language").in_bulk(
        {rows[response].task_id for response, _e, _j in chosen}
    )
    return tuple(
        Disagreement(
            number=number,
            task=str(tasks[rows[response].task_id]),
            language=tasks[rows[response].task_id].language,
            task_id=rows[response].task_id,
            candidate=rows[response].candidate,
            expert=expert,
            judge=judge,
            response=response,
            lines=tuple(disputes[response]),
        )
        for number, (response, expert, judge) in enumerate(chosen, start=1)
    )


def _disputes(found: "Alignment", responses: Sequence[int]) -> dict[int, list[Dispute]]:
    """Return the lines of these responses on which expert and judge differ, with both reasons."""
    said = _said_by_judge(found, responses)
    verdicts = found.judge.data.verdicts
    disputes: dict[int, list[Dispute]] = defaultdict(list)
    sheets = [s for s, response, _l, _m in found.experts.labels if response in set(responses)]
    for response, criterion, text, key, met, why in (
        SheetLine.objects.filter(sheet__in=set(sheets), met__isnull=False)
        .order_by("criterion__position", "criterion_id", "sheet_id")
        .values_list(
            "sheet__response_id", "criterion_id", "criterion__text", "criterion__key", "met",
            "rationale",
        )
    ):  # fmt: skip
        judged = verdicts.get((response, criterion))
        if judged is not None and bool(judged) != met:
            judge_why, anchor = said.get((response, key), ("", ""))
            disputes[response].append(
                Dispute(text, bool(met), why, bool(judged), judge_why, anchor)
            )
    return disputes


def _said_by_judge(
    found: "Alignment", responses: Sequence[int]
) -> dict[tuple[int, str], tuple[str, str]]:
    """Return the judge's reason and the anchor of its verdict, by response and line."""
    rater = found.judge.data.rater
    if rater.run is not None:
        given: Iterable[tuple[int, str, str, int]] = Verdict.objects.filter(
            judgment__items__run=rater.run, judgment__response__in=responses
        ).values_list("judgment__response_id", "criterion__key", "why", "pk")
    else:
        given = SheetLine.objects.filter(
            sheet__rater=rater.name, sheet__response__in=responses
        ).values_list("sheet__response_id", "criterion__key", "rationale", "pk")
    return {
        (response, key): (
            why,
            anchor_of(verdict=pk, sheet_line=None)
            if rater.run is not None
            else anchor_of(verdict=None, sheet_line=pk),
        )
        for response, key, why, pk in given
    }
