"""What experts and a judge said about the same responses, as plain rows.

The response of an anchor is never among them: the judge's prompt holds its labels. No model
instance is made per verdict, and the number of queries does not depend on the amount of data.
"""

from collections import defaultdict
from fractions import Fraction

from django.db.models import Q, QuerySet

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
from judge.alignment_sets.queries import drawn_for_a_flag
from judge.candidates.earlier_text import rests_on_earlier_text
from judge.candidates.families import normalized_family
from judge.candidates.models import Candidate, Response
from judge.engine.models import JudgeRun, Judgment, Verdict
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
    lines = lines_of(Criterion.objects.filter(version__in=sheets.values("version_id")))
    totals = totals_of(lines)

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
        s = score_of(marks, lines, totals, version)
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
    items = asked_items(judge.run).filter(rests_on_earlier_text())
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


# -- judge ----------------------------------------------------------------------------------------


def gather_judge(rater: Rater, experts: Experts) -> JudgeData:
    """Gather what a judge said about the experts' responses, on the experts' lines."""
    asked: frozenset[int] | None
    if rater.run is not None:
        asked, scores, raw = _from_run(rater.run)
        single = not registry.get(rater.run.method).has_lines
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


_Raw = list[tuple[int, int, int]]  # response, criterion, 0 or 1


def _from_run(run: JudgeRun) -> tuple[frozenset[int], dict[int, Number], _Raw]:
    with_sheets = Sheet.objects.filter(kind=Sheet.Kind.EXPERT, state=Sheet.State.SUBMITTED).values(
        "response_id"
    )
    scores: dict[int, Number] = {}
    asked = []
    for response, state, above, below in (
        asked_items(run)
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
