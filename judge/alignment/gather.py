"""What experts and a judge said about the same responses, as plain rows.

The response of an anchor is never among them: the judge's prompt holds its labels. No model
instance is made per verdict, and the number of queries does not depend on the amount of data.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db.models import F, Q, QuerySet

from judge.alignment.raters import Rater
from judge.alignment.rows import (
    Experts,
    JudgeData,
    ResponseRow,
    asked_items,
    lines_of,
    score_of,
    totals_of,
)
from judge.candidates.earlier_text import rests_on_earlier_text
from judge.candidates.families import normalized_family
from judge.candidates.models import Candidate, Response
from judge.engine.models import JudgeRun, Judgment, Verdict
from judge.graded_sheets.models import GradedSheet
from judge.graded_sheets.queries import experts_graded_sheets
from judge.graded_sheets.scale import HIGHEST, LOWEST, share
from judge.methods import registry
from judge.sheets.models import Sheet, SheetLine
from judge.stats.numbers import Number
from rubrics.versions.models import Criterion

# -- experts --------------------------------------------------------------------------------------


def gather_experts(
    judge: Rater, named: str | None, compare: Rater | None = None, *, with_flagged: bool = False
) -> Experts:
    """Gather the submitted expert sheets that a judge can be measured against.

    By default those of every expert rater with a sheet on a task the judge was asked about. Neither
    the judge nor the one it is compared with (`compare`) is ever among the experts.

    Args:
        with_flagged: count sheets that a flagged verdict asked for, so not at random.
    """
    sheets = _expert_sheets(judge, named)
    if compare is not None and compare.run is None:
        sheets = sheets.exclude(rater=compare.name)
    on_earlier_text = _on_earlier_text(judge)
    stale = set(sheets.filter(on_earlier_text).values_list("response_id", flat=True))
    sheets = sheets.filter(~on_earlier_text)
    graded = _graded_sheets(judge, named, compare)
    flagged = 0
    if not with_flagged:
        for_flags = Q(flagged_item__isnull=False)
        left_out = (
            sheets.filter(for_flags)
            .values("response")
            .union(graded.filter(for_flags).values("response"))
        )
        flagged = left_out.count()
        sheets, graded = sheets.exclude(for_flags), graded.exclude(for_flags)
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
    lines = lines_of(Criterion.objects.filter(version__in=sheets.values("version_id")))
    totals = totals_of(lines)

    shares = _Shares(judge.gives_grades)
    labels: list[tuple[int, int, int, int]] = []
    for sheet, _rater, response, version, score in rows:
        marks = given.get(sheet, ())
        if not marks:
            if score is not None:
                shares.numbers[response].append(score)
            continue
        labels.extend((sheet, response, criterion, met) for criterion, met in marks)
        s = score_of(marks, lines, totals, version)
        if s is not None:
            shares.lines[response].append(s)
    grades = _one_grade_per_rater(graded)
    for _rater, response, grade in grades:
        shares.grades[response].append(share(grade))
    responses = _responses(sheets, graded)
    scores, of_shares = shares.scores(responses)
    return Experts(
        raters=tuple(sorted({row[1] for row in rows} | {row[0] for row in grades})),
        responses=responses,
        scores=scores,
        shares=of_shares,
        labels=tuple(labels),
        grades=grades,
        rater_of={row[0]: row[1] for row in rows},
        lines=lines,
        flagged=flagged,
        stale=len(stale - {row[2] for row in rows}),
    )


class _Shares:
    """The experts' scores of responses, by what they come from.

    Within a task all scores are of one kind, because a share of lines, a grade and a mark out of
    ten cannot be compared: grades for a judge that grades, else lines, whatever comes first.
    """

    def __init__(self, grades_first: bool) -> None:
        self.lines: dict[int, list[Fraction]] = defaultdict(list)
        self.grades: dict[int, list[Fraction]] = defaultdict(list)
        self.numbers: dict[int, list[float]] = defaultdict(list)
        shares = [self.grades, self.lines] if grades_first else [self.lines, self.grades]
        self.kinds: list[tuple[Mapping[int, Sequence[Any]], bool]] = [
            *((kind, True) for kind in shares),
            (self.numbers, False),
        ]

    def scores(
        self, responses: Mapping[int, ResponseRow]
    ) -> tuple[dict[int, Number], frozenset[int]]:
        """Return response -> mean score, and the responses whose score is a share."""
        taken: set[int] = set()  # tasks
        found: dict[int, Number] = {}
        of_shares: set[int] = set()
        for kind, is_share in self.kinds:
            for response, values in kind.items():
                if responses[response].task_id in taken:
                    continue
                # The exact mean, rounded once: sums of floats would differ in their last digits.
                mean = sum(map(Fraction, values), Fraction(0)) / len(values)
                found[response] = mean if is_share else float(mean)
                if is_share:
                    of_shares.add(response)
            taken |= {responses[response].task_id for response in kind}
        return found, frozenset(of_shares)


def _graded_sheets(
    judge: Rater, named: str | None, compare: Rater | None
) -> "QuerySet[GradedSheet]":
    sheets = experts_graded_sheets().filter(
        ~_scored_on_earlier_text(judge), response__baseline=False, response__anchor__isnull=True
    )
    if compare is not None and compare.run is None:
        sheets = sheets.exclude(rater=compare.name)
    if judge.run is not None:
        sheets = sheets.filter(response__in=asked_items(judge.run).values("response_id"))
    else:
        sheets = sheets.exclude(rater=judge.name)
    if named is not None:
        return sheets.filter(rater=named)
    if judge.run is None:
        common = sheets.filter(response__task__in=_tasks_of(judge)).values("rater").distinct()
        sheets = sheets.filter(rater__in=common)
    return sheets


def _one_grade_per_rater(sheets: "QuerySet[GradedSheet]") -> tuple[tuple[str, int, int], ...]:
    """Return (rater, response, grade), of the newest version of the rubric where there are two."""
    found: dict[tuple[str, int], int] = {}
    rows = sheets.order_by(F("version_id").asc(nulls_first=True), "pk")
    for rater, response, grade in rows.values_list("rater", "response_id", "grade"):
        assert grade is not None  # of a submitted sheet
        found[rater, response] = grade
    return tuple(sorted((rater, response, grade) for (rater, response), grade in found.items()))


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
        judged = dict(asked_items(judge.run).values_list("response_id", "version_id"))
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
        asked = asked_items(judge.run)
        sheets = sheets.filter(response__in=asked.values("response_id"))
    else:
        skipped = Sheet.objects.filter(rater=judge.name).exclude(skipped="").values("response")
        sheets = sheets.exclude(rater=judge.name).exclude(response__in=skipped)
    if named is not None:
        return sheets.filter(rater=named)
    if judge.run is None:
        common = sheets.filter(response__task__in=_tasks_of(judge)).values("rater").distinct()
        sheets = sheets.filter(rater__in=common)
    return sheets


def _tasks_of(judge: Rater) -> "QuerySet[Response, Any]":
    """Select the ids of the tasks on which a rater submitted something."""
    lines = Q(sheets__rater=judge.name, sheets__state=Sheet.State.SUBMITTED)
    grades = Q(graded_sheets__rater=judge.name, graded_sheets__state=GradedSheet.State.SUBMITTED)
    return Response.objects.filter(lines | grades).order_by().values("task_id")


def _on_earlier_text(judge: Rater) -> Q:
    """Return the condition that a sheet, or the run's score of its response, is stale."""
    return rests_on_earlier_text() | _scored_on_earlier_text(judge)


def _scored_on_earlier_text(judge: Rater) -> Q:
    """Return the condition that the run's score of a sheet's response is stale."""
    if judge.run is None:
        return Q(pk__in=[])
    items = asked_items(judge.run).filter(rests_on_earlier_text(score="judgment__"))
    return Q(response__in=items.values("response_id"))


def _responses(
    sheets: "QuerySet[Sheet]", graded: "QuerySet[GradedSheet]"
) -> dict[int, ResponseRow]:
    families = {c.pk: normalized_family(c) for c in Candidate.objects.all()}
    scored = Q(pk__in=sheets.values("response_id")) | Q(pk__in=graded.values("response_id"))
    rows = (
        Response.objects.filter(scored)
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


# -- judge ----------------------------------------------------------------------------------------


def gather_judge(rater: Rater, experts: Experts) -> JudgeData:
    """Gather what a judge said about the experts' responses, on the experts' lines."""
    asked: frozenset[int] | None
    is_share = True
    if rater.run is not None:
        asked, scores, raw = _from_run(rater.run)
        single = not registry.get(rater.run.method).has_lines
        grades = _grades_of(scores) if rater.gives_grades else {}
    else:
        asked, scores, raw, single = _from_sheets(rater.name)
        grades = _imported_grades(rater.name)
        is_share = not single or not scores
        if not scores:
            scores = {response: share(grade) for response, grade in grades.items()}
    wanted = experts.responses
    verdicts = _on_the_experts_lines(raw, experts)
    return JudgeData(
        rater,
        asked,
        {response: score for response, score in scores.items() if response in wanted},
        verdicts,
        {response: grade for response, grade in grades.items() if response in wanted},
        single,
        is_share,
    )


def _grades_of(scores: Mapping[int, Number]) -> dict[int, int]:
    """Return the grades that a run's scores are shares of."""
    return {
        response: int(LOWEST + score * (HIGHEST - LOWEST)) for response, score in scores.items()
    }


def _imported_grades(name: str) -> dict[int, int]:
    sheets = GradedSheet.objects.filter(
        ~rests_on_earlier_text(), rater=name, state=GradedSheet.State.SUBMITTED
    )
    rows = sheets.order_by().values_list("response_id", "grade")
    return {response: grade for response, grade in rows if grade is not None}


_Raw = list[tuple[int, int, int]]  # response, criterion, 0 or 1


def _from_run(run: JudgeRun) -> tuple[frozenset[int], dict[int, Number], _Raw]:
    by_lines = Sheet.objects.filter(kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED)
    scored = Q(response__in=by_lines.values("response_id")) | Q(
        response__in=experts_graded_sheets().values("response_id")
    )
    scores: dict[int, Number] = {}
    asked = []
    for response, state, above, below in (
        asked_items(run)
        .filter(scored, ~rests_on_earlier_text(score="judgment__"))
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
            judgment__response__in=by_lines.values("response_id"),
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
    lines = lines_of(Criterion.objects.filter(version__in=sheets.values("version_id")))
    totals = totals_of(lines)
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
            s = score_of(marks.get(sheet, ()), lines, totals, version)
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
