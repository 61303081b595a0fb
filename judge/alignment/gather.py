"""What experts and a judge said about the same responses, as plain rows.

The response of an anchor is never among them: the judge's prompt holds its labels. No model
instance is made per verdict, and the number of queries does not depend on the amount of data.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Q, QuerySet

from judge.alignment.raters import Rater
from judge.alignment_sets.queries import drawn_for_a_flag
from judge.candidates.earlier_text import rests_on_earlier_text
from judge.candidates.families import normalized_family
from judge.candidates.models import Candidate, Response
from judge.endpoints import file_rules
from judge.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.sheets.models import Sheet, SheetLine
from judge.stats.numbers import Number
from rubrics.versions.models import Criterion

# Reasons for which planning skips a response, so that its missing score is no gap of the judge. (An
# empty response is a gap: experts could score it, and the judge gave nothing.)
NOT_ASKED = ("baseline", "no_rubric", "no_exemplar", "exemplar_outdated", "same_family")
NOT_ASKED += tuple(file_rules.SKIPPED)
UNKNOWN_FAMILY = "other"  # of candidates whose name does not tell their family


class ResponseRow(NamedTuple):
    """A response with its task, domain and candidate."""

    key: str
    task: str
    task_id: int
    domain: str
    candidate: str
    family: str


class Line(NamedTuple):
    """A rubric line with what the report groups by."""

    version: int
    key: str
    weight: int
    importance: str
    dimension: str


@dataclass(frozen=True, slots=True)
class Experts:
    """The experts' sheets.

    Attributes:
        raters: names, sorted.
        responses: every response with a submitted sheet.
        scores: response -> mean S (exact), or the mean of single scores.
        lined: the responses whose score comes from verdicts on lines.
        labels: (sheet, response, criterion, 0 or 1).
        rater_of: sheet -> name.
        lines: criterion -> its line.
        flagged: responses left out because they were scored for a flagged verdict.
        stale: responses left out because they, or scores of them, rest on an earlier text.
    """

    raters: tuple[str, ...]
    responses: Mapping[int, ResponseRow]
    scores: Mapping[int, Number]
    lined: frozenset[int]
    labels: tuple[tuple[int, int, int, int], ...]
    rater_of: Mapping[int, str]
    lines: Mapping[int, Line]
    flagged: int = 0
    stale: int = 0


@dataclass(frozen=True, slots=True)
class JudgeData:
    """What a judge said.

    Attributes:
        asked: the responses it was asked about; None if unknown, for a rater from outside.
        scores: response -> S, or the single score it gave.
        verdicts: (response, criterion) -> 0 or 1; a gap has no entry.
        single: whether it gave one number per response, and so has no verdicts to compare.
    """

    rater: Rater
    asked: frozenset[int] | None
    scores: Mapping[int, Number]
    verdicts: Mapping[tuple[int, int], int]
    single: bool


# -- experts --------------------------------------------------------------------------------------


def gather_experts(
    judge: Rater, named: str | None, compare: Rater | None = None, *, with_flagged: bool = False
) -> Experts:
    """Gather the submitted expert sheets that a judge can be measured against.

    By default those of every expert rater with a sheet on a task the judge was asked about. Neither
    the judge nor the one it is compared with (`compare`) is ever among the experts.

    Args:
        with_flagged: count responses that were drawn for a flag alone, and so not at random.
    """
    sheets = _expert_sheets(judge, named)
    if compare is not None and compare.run is None:
        sheets = sheets.exclude(rater=compare.name)
    on_earlier_text = _on_earlier_text(judge)
    stale = set(sheets.filter(on_earlier_text).values_list("response_id", flat=True))
    sheets = sheets.filter(~on_earlier_text)
    flagged = 0
    if not with_flagged:
        chosen = Q(purpose=Sheet.Purpose.ALIGNMENT, response__in=drawn_for_a_flag())
        flagged = sheets.filter(chosen).values("response").distinct().count()
        sheets = sheets.exclude(chosen)
    rows = _one_per_rater(
        judge, list(sheets.values_list("id", "rater", "response_id", "version_id", "score"))
    )
    kept = {row[0] for row in rows}
    given: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for sheet, criterion, met in (
        SheetLine.objects.filter(sheet__in=sheets, met__isnull=False)
        .order_by()
        .values_list("sheet_id", "criterion_id", "met")
    ):
        if sheet in kept:
            given[sheet].append((criterion, 1 if met else 0))
    lines = _lines(Criterion.objects.filter(version__in=sheets.values("version_id")))
    totals = _totals(lines)

    by_lines: dict[int, list[Fraction]] = defaultdict(list)
    by_number: dict[int, list[float]] = defaultdict(list)
    labels: list[tuple[int, int, int, int]] = []
    for sheet, _rater, response, version, score in rows:
        marks = given.get(sheet, ())
        if not marks:
            if score is not None:
                by_number[response].append(score)
            continue
        labels.extend((sheet, response, criterion, met) for criterion, met in marks)
        s = _score(marks, lines, totals, version)
        if s is not None:
            by_lines[response].append(s)
    responses = _responses(sheets)
    # One kind of score within a task: a share of lines and a mark out of 10 cannot be compared.
    lined_tasks = {responses[response].task_id for response in by_lines}
    scores: dict[int, Number] = {r: sum(v, Fraction(0)) / len(v) for r, v in by_lines.items()}
    for response, numbers in by_number.items():
        if responses[response].task_id not in lined_tasks:
            # The exact mean, rounded once: sums of floats would differ in their last digits.
            scores[response] = float(sum(map(Fraction, numbers), Fraction(0)) / len(numbers))
    return Experts(
        raters=tuple(sorted({row[1] for row in rows})),
        responses=responses,
        scores=scores,
        lined=frozenset(by_lines),
        labels=tuple(labels),
        rater_of={row[0]: row[1] for row in rows},
        lines=lines,
        flagged=flagged,
        stale=len(stale - {row[2] for row in rows}),
    )


_Row = tuple[int, str, int, int | None, float | None]  # sheet, rater, response, version, score


def _one_per_rater(judge: Rater, rows: list[_Row]) -> list[_Row]:
    """Keep one sheet of each rater and response where a changed rubric made them score again.

    Keep the sheet by the version the run was judged on, so that a run is always measured alike,
    else that of the newest version.
    """
    found: dict[tuple[int, str], list[_Row]] = defaultdict(list)
    for row in rows:
        found[row[2], row[1]].append(row)
    if len(found) == len(rows):
        return rows
    judged: dict[int, int | None] = {}
    if judge.run is not None:
        judged = dict(_asked(judge.run).values_list("response_id", "version_id"))
    return [
        max(several, key=lambda row: (row[3] == judged.get(row[2]), row[3] or 0))
        for several in found.values()
    ]


def _expert_sheets(judge: Rater, named: str | None) -> "QuerySet[Sheet]":
    sheets = (
        Sheet.objects.filter(
            kind=Sheet.Kind.EXPERT,
            state=Sheet.State.SUBMITTED,
            response__baseline=False,
            response__anchor__isnull=True,
        )
        .exclude(purpose=Sheet.Purpose.ANCHOR)
        .order_by()
    )
    if judge.run is not None:
        asked = _asked(judge.run)
        sheets = sheets.filter(response__in=asked.values("response_id"))
    else:
        skipped = Sheet.objects.filter(rater=judge.name).exclude(skipped="").values("response")
        sheets = sheets.exclude(rater=judge.name).exclude(response__in=skipped)
    if named is not None:
        return sheets.filter(rater=named)
    if judge.run is None:
        tasks = Response.objects.filter(
            sheets__rater=judge.name, sheets__state=Sheet.State.SUBMITTED
        ).values("task_id")
        common = sheets.filter(response__task__in=tasks).values("rater").distinct()
        sheets = sheets.filter(rater__in=common)
    return sheets


def _on_earlier_text(judge: Rater) -> Q:
    """Return the condition that a sheet, or the run's score of its response, is stale."""
    stale = rests_on_earlier_text()
    if judge.run is None:
        return stale
    items = _asked(judge.run).filter(rests_on_earlier_text())
    return stale | Q(response__in=items.values("response_id"))


def _responses(sheets: "QuerySet[Sheet]") -> dict[int, ResponseRow]:
    families = {c.pk: normalized_family(c) for c in Candidate.objects.all()}
    rows = (
        Response.objects.filter(pk__in=sheets.values("response_id"))
        .order_by()
        .values_list(
            "pk", "key", "task__key", "task_id", "task__domain__key", "candidate__name",
            "candidate_id",
        )
    )  # fmt: skip
    return {
        pk: ResponseRow(key, task, task_id, domain, candidate, families[candidate_id])
        for pk, key, task, task_id, domain, candidate, candidate_id in rows
    }


def _lines(criteria: "QuerySet[Criterion]") -> dict[int, Line]:
    rows = criteria.order_by().values_list(
        "pk", "version_id", "key", "weight", "importance", "dimension"
    )
    return {row[0]: Line(*row[1:]) for row in rows}


def _totals(lines: Mapping[int, Line]) -> dict[int, tuple[int, int]]:
    """Return the number of lines and the sum of their weights by version."""
    totals: dict[int, tuple[int, int]] = {}
    for line in lines.values():
        count, weight = totals.get(line.version, (0, 0))
        totals[line.version] = (count + 1, weight + line.weight)
    return totals


def _score(
    marks: Iterable[tuple[int, int]],
    lines: Mapping[int, Line],
    totals: Mapping[int, tuple[int, int]],
    version: int | None,
) -> Fraction | None:
    """Return S of one sheet; None unless every line of its version has a verdict."""
    weights = [(lines[criterion].weight, met) for criterion, met in marks if criterion in lines]
    count, total = totals.get(version or 0, (0, 0))
    if len(weights) != count or not total:
        return None
    return Fraction(sum(weight for weight, met in weights if met), total)


# -- judge ----------------------------------------------------------------------------------------


def gather_judge(rater: Rater, experts: Experts) -> JudgeData:
    """Gather what a judge said about the experts' responses, on the experts' lines."""
    asked: frozenset[int] | None
    if rater.run is not None:
        asked, scores, raw = _from_run(rater.run)
        single = False
    else:
        asked, scores, raw, single = _from_sheets(rater.name)
    wanted = experts.responses
    verdicts = _on_the_experts_lines(raw, experts)
    return JudgeData(
        rater,
        asked,
        {response: score for response, score in scores.items() if response in wanted},
        verdicts,
        single,
    )


def _asked(run: JudgeRun) -> "QuerySet[RunItem]":
    return (
        RunItem.objects.filter(run=run)
        .exclude(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .order_by()
    )


_Raw = list[tuple[int, int, int]]  # response, criterion, 0 or 1


def _from_run(run: JudgeRun) -> tuple[frozenset[int], dict[int, Number], _Raw]:
    with_sheets = Sheet.objects.filter(kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED).values(
        "response_id"
    )
    scores: dict[int, Number] = {}
    asked = []
    for response, state, above, below in (
        _asked(run)
        .filter(~rests_on_earlier_text(), response__in=with_sheets)
        .values_list(
            "response_id",
            "judgment__state",
            "judgment__score_numerator",
            "judgment__score_denominator",
        )
    ):
        asked.append(response)
        if state == Judgment.State.COMPLETE and above is not None and below:
            scores[response] = Fraction(above, below)
    rows = (
        Verdict.objects.filter(
            ~rests_on_earlier_text("judgment__response__", "judgment__version__"),
            judgment__items__run=run,
            judgment__response__in=with_sheets,
            outcome__in=(Verdict.Outcome.MET, Verdict.Outcome.UNMET),
        )
        .order_by()
        .values_list("judgment__response_id", "criterion_id", "outcome")
    )
    return frozenset(asked), scores, [(r, c, int(o == Verdict.Outcome.MET)) for r, c, o in rows]


def _from_sheets(name: str) -> tuple[None, dict[int, Number], _Raw, bool]:
    sheets = Sheet.objects.filter(
        ~rests_on_earlier_text(), rater=name, state=Sheet.State.SUBMITTED
    ).order_by()
    lines = _lines(Criterion.objects.filter(version__in=sheets.values("version_id")))
    totals = _totals(lines)
    marks: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for sheet, criterion, met in (
        SheetLine.objects.filter(sheet__in=sheets, met__isnull=False)
        .order_by()
        .values_list("sheet_id", "criterion_id", "met")
    ):
        marks[sheet].append((criterion, 1 if met else 0))
    with_lines = set(SheetLine.objects.filter(sheet__in=sheets).values_list("sheet_id", flat=True))
    scores: dict[int, Number] = {}
    raw: _Raw = []
    for sheet, response, version, number in sheets.values_list(
        "id", "response_id", "version_id", "score"
    ):
        if sheet in with_lines:
            s = _score(marks.get(sheet, ()), lines, totals, version)
            if s is not None:
                scores[response] = s
            raw.extend((response, criterion, met) for criterion, met in marks.get(sheet, ()))
        elif number is not None:
            scores[response] = number
    return None, scores, raw, not with_lines


def _on_the_experts_lines(raw: _Raw, experts: Experts) -> dict[tuple[int, int], int]:
    """Return verdicts by (response, criterion of the experts' version).

    If the judge read another version of the rubric, lines are matched by key and text.
    """
    verdicts = {(r, c): met for r, c, met in raw if c in experts.lines}
    others = [row for row in raw if row[1] not in experts.lines and row[0] in experts.responses]
    if not others:
        return verdicts
    tasks = {experts.responses[response].task_id for response, _, _ in others}
    rows = (
        Criterion.objects.filter(version__task__in=tasks)
        .order_by()
        .values_list("pk", "version__task_id", "key", "text")
    )
    words = {pk: (task, key, text) for pk, task, key, text in rows}
    by_text: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for criterion in experts.lines:
        if criterion in words:
            by_text[words[criterion]].append(criterion)
    for response, criterion, met in others:
        for same in by_text.get(words.get(criterion, (0, "", "")), ()):
            verdicts.setdefault((response, same), met)
    return verdicts
