"""Which rows and columns of a score matrix an index can say anything of.

A row is a version in a period, a column a task, NaN a cell that was not measured. No Django.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.base.stats.numbers import Reason

Matrix = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Usable:
    """The rows and columns that take part in a fit, and why others have no figure.

    Attributes:
        rows, columns: one flag each.
        linked: the rows that no task connects with the reference, but a version does.
        why_rows: the reason of each row that is left out; None of the others.
        why_columns: the reason of each column without parameters of its own; None of the others.
            A task that all solve, or that one version was measured on, takes part in the fit all
            the same: without it the tasks that are left would be harder than those asked.
    """

    rows: Mask
    columns: Mask
    linked: Mask
    why_rows: list[Reason | None]
    why_columns: list[Reason | None]


def usable(scores: Matrix, versions: Numbers, reference: Mask) -> Usable:
    """Leave out what has no finite estimate.

    A row that is all right or all wrong would have an infinite estimate, and one with a single
    cell says nothing of its own. What then hangs together with the reference by common tasks or
    versions is kept; the rest has no common scale with it.

    Args:
        scores: rows x columns, 0 to 1, NaN where not measured.
        versions: the number of the version of each row.
        reference: the rows of the reference period.
    """
    why_rows = [_problem(line, Reason.ONE_MEASURED_TASK) for line in scores]
    rows = np.array([why is None for why in why_rows], dtype=bool)
    by_tasks = components(scores, versions, rows, by_versions=False)
    main = _most_of(by_tasks[rows & reference])
    parts = components(scores, versions, rows, by_versions=True)
    whole = _most_of(parts[rows & reference])
    kept: Mask = np.asarray(rows & (parts == whole))
    alone = kept.sum() < 2
    for at in np.flatnonzero(rows & ~(kept & (not alone))):
        why_rows[at] = Reason.NOTHING_LEFT if kept[at] else Reason.DISCONNECTED
    if alone:
        kept[:] = False
    measured = ~np.isnan(scores)
    columns: Mask = np.asarray(measured[kept].any(axis=0))
    why_columns: list[Reason | None] = []
    for column, used in zip(scores.T, columns, strict=True):
        why = _problem(column, Reason.ONE_MEASURED_VERSION)
        if why is None and used:
            why = _problem(column[kept], Reason.NOTHING_LEFT)
        elif why is None:
            disconnected = (rows & ~np.isnan(column)).any() and not alone
            why = Reason.DISCONNECTED if disconnected else Reason.NOTHING_LEFT
        why_columns.append(why)
    linked: Mask = np.asarray(kept & (by_tasks != main))
    return Usable(kept, columns, linked, why_rows, why_columns)


def _problem(line: Matrix, too_few: Reason) -> Reason | None:
    """Say why a row or column has no two different values, if it has not."""
    values = line[~np.isnan(line)]
    if not len(values):
        return Reason.NOT_MEASURED
    if len(values) < 2:
        return too_few
    if (values == values[0]).all():
        # A version that scores one half throughout is measured; a task so tells none apart.
        return {0.0: Reason.ALL_WRONG, 1.0: Reason.ALL_RIGHT}.get(
            float(values[0]), Reason.ALL_EQUAL
        )
    return None


def components(scores: Matrix, versions: Numbers, rows: Mask, *, by_versions: bool) -> Numbers:
    """Return the number of the connected part of each row; −1 if it is left out.

    Two rows are connected by a task that both were measured on, directly or through others, and
    if wanted by being of one version.
    """
    links = ~np.isnan(scores)
    if by_versions:
        links = np.hstack([links, versions[:, None] == np.arange(versions.max() + 1)])
    links &= rows[:, None]
    found = np.full(len(rows), -1, dtype=np.int64)
    for start in np.flatnonzero(rows):
        if found[start] >= 0:
            continue
        reached = np.zeros(len(rows), dtype=bool)
        reached[start] = True
        while True:
            further = links[:, links[reached].any(axis=0)].any(axis=1)
            if not (further & ~reached).any():
                break
            reached |= further
        found[reached] = start
    return found


def _most_of(parts: Numbers) -> int:
    """Return the part that is met most often, the first of equals; −2 if there is none."""
    found = parts.tolist()
    return max(dict.fromkeys(found), key=found.count, default=-2)
