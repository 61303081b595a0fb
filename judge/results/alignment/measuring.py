"""Pairs, cells and scores of one judge and the experts, in the form the statistics take."""

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.base.stats.criterion import Cell, Table, tabulate
from judge.base.stats.grades import GradeReport, both_directions, grade_report
from judge.base.stats.numbers import Number, TaskId
from judge.base.stats.preference import PairCounts, count_pairs
from judge.results.alignment.rows import Experts, JudgeData


def grades_of(
    judged: JudgeData, truth: Experts, inside: set[int], *, seed: int, resamples: int
) -> GradeReport | None:
    """Compare the judge's grades with each expert's; None where one side graded nothing."""
    if not judged.grades or not truth.grades:
        return None
    rows = [
        (truth.responses[response].task, grade, judged.grades.get(response))
        for _rater, response, grade in truth.grades
        if response in inside
    ]
    return grade_report(rows, seed=seed, resamples=resamples)


def grade_ceiling(truth: Experts, *, seed: int, resamples: int) -> GradeReport | None:
    """Compare the experts' grades with each other; None where nobody graded."""
    if not truth.grades:
        return None
    given: dict[int, dict[str, int]] = defaultdict(dict)
    for rater, response, grade in truth.grades:
        given[response][rater] = grade
    several = ((truth.responses[pk].task, grades) for pk, grades in sorted(given.items()))
    return grade_report(both_directions(several), seed=seed, resamples=resamples)


class Cells:
    """The cells of lines: one per sheet and line, so two experts who disagree give two cells."""

    def __init__(self, judged: JudgeData, truth: Experts, inside: set[int]) -> None:
        # A judge with single scores has no verdicts on lines.
        labels = () if judged.single else truth.labels
        rows, lines, verdicts = truth.responses, truth.lines, judged.verdicts
        kept = [row for row in labels if row[1] in inside and row[2] in lines]
        self.table = tabulate(
            Cell(rows[response].task, met, verdicts.get((response, line)), lines[line].weight)
            for _sheet, response, line, met in kept
        )
        self.responses = np.array([row[1] for row in kept], dtype=np.int64)
        self.lines = np.array([row[2] for row in kept], dtype=np.int64)

    def by_line(self, name_of: Callable[[int], str]) -> dict[str, Table]:
        """Group the cells by the name of their line; sorted by name."""
        return self._by(self.lines, name_of)

    def by_response(self, name_of: Callable[[int], str]) -> dict[str, Table]:
        """Group the cells by the name of their response; sorted by name."""
        return self._by(self.responses, name_of)

    def _by(self, column: NDArray[np.int64], name_of: Callable[[int], str]) -> dict[str, Table]:
        values, codes = np.unique(column, return_inverse=True)
        names = [name_of(int(value)) for value in values]
        order = sorted(set(names))
        index = {name: n for n, name in enumerate(order)}
        group = np.array([index[name] for name in names], dtype=np.int64)[codes]
        return {name: self.table.where(group == index[name]) for name in order}


def score_pairs(
    judged: JudgeData, truth: Experts, inside: set[int]
) -> list[tuple[int, float, float | None]]:
    """Return (response, S of the experts, S of the judge or None) as floats, sorted."""
    if not judged.is_share:
        return []
    found = []
    for response in truth.shares & inside:
        judge = judged.scores.get(response)
        found.append(
            (response, float(truth.scores[response]), None if judge is None else float(judge))
        )
    return sorted(found)


def pairs_by_task(judged: JudgeData, truth: Experts, inside: set[int]) -> dict[TaskId, PairCounts]:
    """Count each task's pairs of responses exactly."""
    by_task: dict[str, list[int]] = defaultdict(list)
    for response in truth.scores:
        if response in inside:
            by_task[truth.responses[response].task].append(response)
    return {
        task: count_pairs(
            list(
                zip(
                    _whole([truth.scores[r] for r in group]),
                    _whole([judged.scores.get(r) for r in group]),
                    strict=True,
                )
            )
        )
        for task, group in by_task.items()
    }


def _whole(column: list[Number | None]) -> list[Any]:
    """Scale fractions to integers over a common denominator, which compare much faster."""
    given = [value for value in column if value is not None]
    if not all(isinstance(value, Fraction) for value in given):
        return column
    common = math.lcm(*(value.denominator for value in given))  # type: ignore[union-attr]
    return [
        None if value is None else value.numerator * (common // value.denominator)  # type: ignore[union-attr]
        for value in column
    ]
