"""Pairs, cells and marks of one judge against the experts, as the statistics take them."""

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.alignment.gather import Experts, Judged
from judge.stats.criterion import Cell, Table, tabulate
from judge.stats.numbers import Number, TaskId
from judge.stats.preference import PairCounts, count_pairs


class Cells:
    """One cell per sheet and line: two experts who disagree are two cells."""

    def __init__(self, judged: Judged, truth: Experts, inside: set[int]) -> None:
        # A judge of single scores has no verdicts on lines that could be right or wrong.
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
        """Groups of lines with the same name, sorted by it."""
        return self._by(self.lines, name_of)

    def by_response(self, name_of: Callable[[int], str]) -> dict[str, Table]:
        """Groups of responses with the same name, sorted by it."""
        return self._by(self.responses, name_of)

    def _by(self, column: NDArray[np.int64], name_of: Callable[[int], str]) -> dict[str, Table]:
        values, codes = np.unique(column, return_inverse=True)
        names = [name_of(int(value)) for value in values]
        order = sorted(set(names))
        place = {name: n for n, name in enumerate(order)}
        group = np.array([place[name] for name in names], dtype=np.int64)[codes]
        return {name: self.table.where(group == place[name]) for name in order}


def marks_of(
    judged: Judged, truth: Experts, inside: set[int]
) -> list[tuple[int, float, float | None]]:
    """(response, S of the experts, S of the judge): equal fractions are equal floats."""
    if judged.single:
        return []
    found = []
    for response in truth.lined & inside:
        judge = judged.scores.get(response)
        found.append(
            (response, float(truth.scores[response]), None if judge is None else float(judge))
        )
    return sorted(found)


def pairs_by_task(judged: Judged, truth: Experts, inside: set[int]) -> dict[TaskId, PairCounts]:
    """Task -> its pairs of responses, counted exactly."""
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
    """Fractions over their common denominator: the same order, and much faster to compare."""
    given = [value for value in column if value is not None]
    if not all(isinstance(value, Fraction) for value in given):
        return column
    common = math.lcm(*(value.denominator for value in given))  # type: ignore[union-attr]
    return [
        None if value is None else value.numerator * (common // value.denominator)  # type: ignore[union-attr]
        for value in column
    ]
