"""A submitted sheet beside what a judge said about the same response. For staff."""

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
class Said:
    """One reader's verdict on one line; `met` is None where there is none, `reason` says why."""

    met: bool | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class BesideLine:
    n: int
    text: str
    importance: str
    weight: int
    expert: Said
    judge: Said | None

    @property
    def differ(self) -> bool:
        """Both have a verdict, and not the same one."""
        return (
            self.judge is not None
            and self.judge.met is not None
            and self.expert.met is not None
            and self.judge.met != self.expert.met
        )


@dataclass(frozen=True, slots=True)
class Beside:
    """The response, its task, and both verdicts on every line. Scores are points of 100."""

    rater: str
    key: str
    candidate: str
    response: str
    task: TaskText
    lines: tuple[BesideLine, ...]
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


def beside(pk: int, judge: Rater | None) -> Beside:
    """A submitted expert sheet, and the judge's verdicts where one is named. Seven queries at most.

    Raises:
        NotFound: no such sheet, or one that is still open: its scorer may yet change it.
    """
    sheet = (
        Sheet.objects.filter(pk=pk, kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED)
        .select_related("response__task", "response__candidate")
        .first()
    )
    if sheet is None:
        raise NotFound()
    said = {
        criterion: Said(met, why)
        for criterion, met, why in SheetLine.objects.filter(sheet=sheet).values_list(
            "criterion_id", "met", "rationale"
        )
    }
    judged = _judged(judge, sheet.response_id) if judge else None
    response = sheet.response
    return Beside(
        rater=sheet.rater,
        key=response.task.key,
        candidate=response.candidate.name,
        response=response.text,
        task=task_text(response.task_id),
        lines=tuple(
            BesideLine(
                n=n,
                text=line.text,
                importance=str(Importance(line.importance).label),
                weight=line.weight,
                expert=said.get(line.pk, Said(None)),
                judge=None if judged is None else judged.get((line.key, line.text), Said(None)),
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
    """Response -> its submitted expert sheets as (number, rater). One query."""
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


def _judged(judge: Rater, response: int) -> dict[tuple[str, str], Said]:
    """(key, words of a line) -> what the judge said: the same line has the same words."""
    if judge.run is not None:
        judgment = Judgment.objects.filter(items__run=judge.run, response=response).first()
        rows = Verdict.objects.filter(judgment=judgment).values_list(
            "criterion__key", "criterion__text", "outcome", "why"
        )
        known = {Verdict.Outcome.MET: True, Verdict.Outcome.UNMET: False}
        return {(key, text): Said(known.get(outcome), why) for key, text, outcome, why in rows}  # type: ignore[call-overload]
    lines = SheetLine.objects.filter(
        sheet__response=response, sheet__rater=judge.name, sheet__state=Sheet.State.SUBMITTED
    ).values_list("criterion__key", "criterion__text", "met", "rationale")
    return {(key, text): Said(met, why) for key, text, met, why in lines}


def _score(rows: list[tuple[int, bool | None]]) -> float | None:
    """S in points of 100; None unless every line has a verdict."""
    total = sum(weight for weight, _met in rows)
    if not total or any(met is None for _weight, met in rows):
        return None
    return 100 * sum(weight for weight, met in rows if met) / total
