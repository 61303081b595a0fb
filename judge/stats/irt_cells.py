"""Which rows and columns of a score matrix an index can say anything of.

A row is a version in a period, a column a task, NaN a cell that was not measured. No Django.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.stats.reasons import Reason

Matrix = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Usable:
    """The rows and columns that take part in a fit, and why the others do not.

    Attributes:
        rows, columns: one flag each.
        why_rows, why_columns: the reason of each that is left out; None of the others.
    """

    rows: Mask
    columns: Mask
    why_rows: list[Reason | None]
    why_columns: list[Reason | None]


def usable(scores: Matrix, reference: Mask) -> Usable:
    """Leave out what has no finite estimate, until nothing more has to go.

    A row or column that is all right or all wrong would have an infinite estimate, and one with a
    single cell says nothing of its own. What then hangs together with the reference by common
    tasks is kept; the rest has no common scale with it.

    Args:
        scores: rows x columns, 0 to 1, NaN where not measured.
        reference: the rows of the reference period.
    """
    rows = np.ones(scores.shape[0], dtype=bool)
    columns = np.ones(scores.shape[1], dtype=bool)
    why_rows: list[Reason | None] = [None] * len(rows)
    why_columns: list[Reason | None] = [None] * len(columns)
    _leave_out(scores.T, np.ones_like(rows), columns, why_columns, Reason.ONE_MEASURED_VERSION)
    _leave_out(scores, np.ones_like(columns), rows, why_rows, Reason.ONE_MEASURED_TASK)
    # What goes takes cells from what stays.
    while True:
        before = rows.sum() + columns.sum()
        _leave_out(scores.T, rows, columns, why_columns, Reason.NOTHING_LEFT)
        _leave_out(scores, columns, rows, why_rows, Reason.NOTHING_LEFT)
        if rows.sum() + columns.sum() == before:
            break
    _keep_connected(scores, rows, columns, why_rows, why_columns, reference)
    return Usable(rows, columns, why_rows, why_columns)


def _leave_out(
    scores: Matrix, across: Mask, kept: Mask, why: list[Reason | None], too_few: Reason
) -> None:
    """Drop the lines of `scores` without two different values in the columns that count."""
    for at in np.flatnonzero(kept):
        line = scores[at]
        values = line[across & ~np.isnan(line)]
        found: Reason | None = None
        if not len(values) and np.isnan(line).all():
            found = Reason.NOT_MEASURED
        elif len(values) < 2:
            found = too_few
        elif (values == values[0]).all():
            # A version that scores one half throughout is measured; a task so tells none apart.
            found = {0.0: Reason.ALL_WRONG, 1.0: Reason.ALL_RIGHT}.get(
                float(values[0]), Reason.ALL_EQUAL
            )
        if found:
            kept[at], why[at] = False, found


def components(scores: Matrix, rows: Mask, columns: Mask) -> tuple[list[int], list[int]]:
    """Return the number of the connected part of each row and each column; −1 if left out.

    Two rows are connected by a task that both were measured on, directly or through others.
    """
    of_row, of_column = [-1] * len(rows), [-1] * len(columns)
    measured = ~np.isnan(scores) & rows[:, None] & columns[None, :]
    part = 0
    for start in np.flatnonzero(rows):
        if of_row[start] >= 0:
            continue
        reached = np.zeros(len(rows), dtype=bool)
        reached[start] = True
        while True:
            through = measured[reached].any(axis=0)
            further = measured[:, through].any(axis=1)
            if (further & ~reached).sum() == 0:
                break
            reached |= further
        for at in np.flatnonzero(reached):
            of_row[at] = part
        for at in np.flatnonzero(measured[reached].any(axis=0)):
            of_column[at] = part
        part += 1
    return of_row, of_column


def _keep_connected(
    scores: Matrix,
    rows: Mask,
    columns: Mask,
    why_rows: list[Reason | None],
    why_columns: list[Reason | None],
    reference: Mask,
) -> None:
    """Keep the connected part with most rows of the reference period."""
    of_row, of_column = components(scores, rows, columns)
    known = [of_row[at] for at in np.flatnonzero(rows & reference)]
    main = max(set(known), key=lambda part: (known.count(part), -part), default=-1)
    _drop_others(rows, of_row, why_rows, main)
    _drop_others(columns, of_column, why_columns, main)


def _drop_others(kept: Mask, part_of: Sequence[int], why: list[Reason | None], main: int) -> None:
    for at in np.flatnonzero(kept).tolist():
        if main < 0 or part_of[at] != main:
            kept[at], why[at] = False, Reason.DISCONNECTED
