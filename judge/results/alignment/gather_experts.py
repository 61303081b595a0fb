"""What experts said about the responses that a judge can be measured on, as plain rows.

The response of an anchor is never among them: the judge's prompt holds its labels. No model
instance is made per verdict, and the number of queries does not depend on the amount of data.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from django.db.models import F, Q, QuerySet

from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.asking.candidates.families import normalized_family
from judge.asking.candidates.models import Candidate, Response
from judge.base.stats.numbers import Number
from judge.results.alignment.raters import Rater
from judge.results.alignment.rows import (
    Experts,
    LeftOut,
    ResponseRow,
    asked_items,
    lines_of,
    score_of,
    totals_of,
)
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.queries import experts_graded_sheets
from judge.scoring.graded_sheets.scale import share
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion

# The columns of `LeftOut`.
_LEFT_OUT = ("response_id", "response__task_id", "response__task__domain__key")


def gather_experts(
    judge: Rater, named: str | None, compare: Rater | None = None, *, with_flagged: bool = False
) -> Experts:
    """Gather the submitted expert sheets that a judge can be measured against.

    By default those of every expert rater with a sheet on a task the judge was asked about. Neither
    the judge nor the one it is compared with (`compare`) is ever among the experts.

    Args:
        with_flagged: count sheets that a flagged verdict asked for, so not at random.
    """
    sheets = _expert_sheets(judge, named, with_flagged=with_flagged)
    if compare is not None and compare.run is None:
        sheets = sheets.exclude(rater=compare.name)
    on_earlier_text = _on_earlier_text(judge)
    stale = set(sheets.filter(on_earlier_text).values_list(*_LEFT_OUT))
    sheets = sheets.filter(~on_earlier_text)
    graded = _graded_sheets(judge, named, compare, with_flagged=with_flagged)
    flagged: list[Any] = []
    if not with_flagged:
        for_flags = Q(flagged_item__isnull=False)
        of_lines, of_grades = sheets.filter(for_flags), graded.filter(for_flags)
        flagged = list(of_lines.values_list(*_LEFT_OUT).union(of_grades.values_list(*_LEFT_OUT)))
        sheets, graded = sheets.exclude(for_flags), graded.exclude(for_flags)
    rows = _one_per_rater(
        judge, list(sheets.values_list("id", "rater", "response_id", "version_id", "score"))
    )
    kept, scored = {row[0] for row in rows}, {row[2] for row in rows}
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
    for sheet, rater, response, version, score in rows:
        marks = given.get(sheet, ())
        if not marks:
            if score is not None:
                shares.numbers[response][rater] = score
            continue
        labels.extend((sheet, response, criterion, met) for criterion, met in marks)
        s = score_of(marks, lines, totals, version)
        if s is not None:
            shares.lines[response][rater] = s
    grades = _one_grade_per_rater(graded)
    for rater, response, grade in grades:
        shares.grades[response][rater] = share(grade)
    responses = _responses(sheets, graded)
    given_scores, of_shares = shares.scores(responses)
    return Experts(
        raters=tuple(sorted({row[1] for row in rows} | {row[0] for row in grades})),
        responses=responses,
        scores={pk: _mean(by.values(), exact=pk in of_shares) for pk, by in given_scores.items()},
        given=given_scores,
        shares=of_shares,
        labels=tuple(labels),
        grades=grades,
        rater_of={row[0]: row[1] for row in rows},
        lines=lines,
        flagged=tuple(LeftOut(*row) for row in sorted(flagged)),
        stale=tuple(LeftOut(*row) for row in sorted(stale) if row[0] not in scored),
    )


class _Shares:
    """The experts' scores of responses, by what they come from.

    Within a task all scores are of one kind, because a share of lines, a grade and a mark out of
    ten cannot be compared: grades for a judge that grades, else lines, whatever comes first.
    """

    def __init__(self, grades_first: bool) -> None:
        self.lines: dict[int, dict[str, Number]] = defaultdict(dict)  # response -> rater -> score
        self.grades: dict[int, dict[str, Number]] = defaultdict(dict)
        self.numbers: dict[int, dict[str, Number]] = defaultdict(dict)
        shares = [self.grades, self.lines] if grades_first else [self.lines, self.grades]
        self.kinds: list[tuple[Mapping[int, Mapping[str, Number]], bool]] = [
            *((kind, True) for kind in shares),
            (self.numbers, False),
        ]

    def scores(
        self, responses: Mapping[int, ResponseRow]
    ) -> tuple[dict[int, Mapping[str, Number]], frozenset[int]]:
        """Return response -> rater -> score, and the responses whose scores are shares."""
        taken: set[int] = set()  # tasks
        found: dict[int, Mapping[str, Number]] = {}
        of_shares: set[int] = set()
        for kind, is_share in self.kinds:
            for response, given in kind.items():
                if responses[response].task_id in taken:
                    continue
                found[response] = given
                if is_share:
                    of_shares.add(response)
            taken |= {responses[response].task_id for response in kind}
        return found, frozenset(of_shares)


def _mean(values: Collection[Number], *, exact: bool) -> Number:
    # Rounded once, if at all: sums of floats would differ in their last digits.
    mean = sum((Fraction(value) for value in values), Fraction(0)) / len(values)
    return mean if exact else float(mean)


def _graded_sheets(
    judge: Rater, named: str | None, compare: Rater | None, *, with_flagged: bool
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
    return _of_common_raters(judge, sheets, with_flagged) if judge.run is None else sheets


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


def _expert_sheets(judge: Rater, named: str | None, *, with_flagged: bool) -> "QuerySet[Sheet]":
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
    return _of_common_raters(judge, sheets, with_flagged) if judge.run is None else sheets


def _of_common_raters(judge: Rater, sheets: "QuerySet[Any]", with_flagged: bool) -> "QuerySet[Any]":
    """Keep the sheets of raters with one on a task of the judge, and all that a flag asked for."""
    there = sheets.filter(response__task__in=_tasks_of(judge))
    for_flags = Q(flagged_item__isnull=False)
    common = there if with_flagged else there.exclude(for_flags)
    return sheets.filter(
        Q(rater__in=common.values("rater").distinct()) | Q(pk__in=there.filter(for_flags))
    )


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
