"""What a judge said about the responses that experts scored, as plain rows."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from django.db.models import Q

from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.base.stats.numbers import Number
from judge.methods.base import registry
from judge.results.alignment.raters import Rater
from judge.results.alignment.rows import (
    Experts,
    JudgeData,
    asked_items,
    lines_of,
    score_of,
    totals_of,
)
from judge.runs.engine.models import JudgeRun, Judgment, Verdict
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.queries import experts_graded_sheets
from judge.scoring.graded_sheets.scale import HIGHEST, LOWEST, share
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion


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
        ~rests_on_earlier_text(),
        rater=name,
        state=GradedSheet.State.SUBMITTED,
        flagged_item__isnull=True,
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
        ~rests_on_earlier_text(),
        rater=name,
        state=Sheet.State.SUBMITTED,
        flagged_item__isnull=True,
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
