"""A submitted sheet compared with what a judge said about the same response. For staff."""

from collections.abc import Mapping
from dataclasses import dataclass

from curation.web.refusals import NotFound
from judge.alignment.raters import Rater
from judge.engine.models import Judgment, Verdict
from judge.sheets.models import Sheet, SheetLine
from rubrics.policy.dimensions import Importance
from rubrics.versions.models import Criterion
from rubrics.versions.task_text import TaskText, task_text


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """An expert's or a judge's verdict on one line; `met` is None without one, `why` its reason."""

    met: bool | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A line with both verdicts; `judge` is None where no judge is named."""

    n: int
    text: str
    importance: str
    weight: int
    expert: LineVerdict
    judge: LineVerdict | None

    @property
    def differ(self) -> bool:
        """Whether both gave a verdict, and different ones."""
        return (
            self.judge is not None
            and self.judge.met is not None
            and self.expert.met is not None
            and self.judge.met != self.expert.met
        )


@dataclass(frozen=True, slots=True)
class SheetComparison:
    """A response with its task and both verdicts on every line. Scores are points of 100."""

    rater: str
    key: str
    candidate: str
    response: str
    task: TaskText
    lines: tuple[ComparedLine, ...]
    others: tuple[tuple[int, str], ...]  # sheets of the same response by other experts

    @property
    def differing(self) -> int:
        return sum(line.differ for line in self.lines)

    @property
    def expert_score(self) -> float | None:
        return _score([(line.weight, line.expert.met) for line in self.lines])

    @property
    def judge_score(self) -> float | None:
        return _score(
            [(line.weight, line.judge.met if line.judge else None) for line in self.lines]
        )


def compare_sheet(pk: int, judge: Rater | None) -> SheetComparison:
    """Compare a submitted expert sheet with the judge's verdicts. Seven queries at most.

    Raises:
        NotFound: no such sheet, or it is still open and may change.
    """
    sheet = (
        Sheet.objects.filter(pk=pk, kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED)
        .select_related("response__task", "response__candidate")
        .first()
    )
    if sheet is None:
        raise NotFound()
    said = {
        criterion: LineVerdict(met, why)
        for criterion, met, why in SheetLine.objects.filter(sheet=sheet).values_list(
            "criterion_id", "met", "rationale"
        )
    }
    judged = _judged(judge, sheet.response_id) if judge else None
    response = sheet.response
    return SheetComparison(
        rater=sheet.rater,
        key=response.task.key,
        candidate=response.candidate.name,
        response=response.text,
        task=task_text(response.task_id),
        lines=tuple(
            ComparedLine(
                n=n,
                text=line.text,
                importance=str(Importance(line.importance).label),
                weight=line.weight,
                expert=said.get(line.pk, LineVerdict(None)),
                judge=None
                if judged is None
                else judged.get((line.key, line.text), LineVerdict(None)),
            )
            for n, line in enumerate(
                Criterion.objects.filter(version=sheet.version_id).order_by("position", "id"), 1
            )
        ),
        others=tuple(
            Sheet.objects.filter(
                response=sheet.response_id, kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED
            )
            .exclude(pk=pk)
            .order_by("rater", "pk")
            .values_list("pk", "rater")
        ),
    )


def sheets_of(responses: list[int]) -> Mapping[int, list[tuple[int, str]]]:
    """Return the submitted expert sheets of each response as (id, rater). One query."""
    found: dict[int, list[tuple[int, str]]] = {response: [] for response in responses}
    for response, pk, rater in (
        Sheet.objects.filter(
            response__in=responses, kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED
        )
        .order_by("rater", "pk")
        .values_list("response_id", "pk", "rater")
    ):
        found[response].append((pk, rater))
    return found


def _judged(judge: Rater, response: int) -> dict[tuple[str, str], LineVerdict]:
    """Return the judge's verdicts by key and text of the line, as versions may differ."""
    if judge.run is not None:
        judgment = Judgment.objects.filter(items__run=judge.run, response=response).first()
        rows = Verdict.objects.filter(judgment=judgment).values_list(
            "criterion__key", "criterion__text", "outcome", "why"
        )
        known = {Verdict.Outcome.MET.value: True, Verdict.Outcome.UNMET.value: False}
        return {
            (key, text): LineVerdict(known.get(outcome), why) for key, text, outcome, why in rows
        }
    lines = SheetLine.objects.filter(
        sheet__response=response, sheet__rater=judge.name, sheet__state=Sheet.State.SUBMITTED
    ).values_list("criterion__key", "criterion__text", "met", "rationale")
    return {(key, text): LineVerdict(met, why) for key, text, met, why in lines}


def _score(rows: list[tuple[int, bool | None]]) -> float | None:
    """Return S in points of 100; None unless every line has a verdict."""
    total = sum(weight for weight, _met in rows)
    if not total or any(met is None for _weight, met in rows):
        return None
    return 100 * sum(weight for weight, met in rows if met) / total
