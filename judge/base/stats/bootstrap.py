"""Seeded percentile bootstrap that resamples tasks.

Every resampled statistic is a function of sums over tasks, so a resample is a row of counts (how
often each task was drawn), and the resampled sums are one matrix product. The rows of the table
are sorted by task id first, so that the result depends on the seed and the data and not on the
order in which the database returned them.

With few tasks an interval of plain percentiles is too narrow, so the percentiles depend on the
number of tasks (`student.tail`): docs/decisions/0011-measuring.md.

Percentile method: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import tests
from judge.base.stats.numbers import FEWEST_TASKS, Interval, Reason, TaskId, task_order

RESAMPLES = 10_000
LEVEL = 0.95

_CHUNK = 500_000  # draws counted at once; they fit into the CPU's cache
_KEEP = 10_000_000  # size up to which a matrix of counts (20 MB) is cached for the next statistic

_NOISE = 1e-9  # an interval no wider than this has the width of rounding noise

Floats = NDArray[np.float64]
Bounds = tuple[Interval | None, Reason | None]  # an interval, or why there is none


def resampled_sums(
    table: Mapping[TaskId, Sequence[float]], *, seed: int = 0, resamples: int = RESAMPLES
) -> Floats:
    """Return sums over as many tasks as there are, drawn with replacement.

    Two statistics over the same tasks with the same seed use the same draws, so that differences
    between columns, or between calls, are paired.

    Args:
        table: task -> its k sufficient statistics.

    Returns:
        An array of shape (resamples, k).

    Raises:
        ValueError: the seed or the number of resamples is negative.
    """
    rows = np.array([table[task] for task in sorted(table, key=task_order)], dtype=np.float64)
    return resampled_rows(rows, seed=seed, resamples=resamples)


def resampled_rows(rows: Floats, *, seed: int = 0, resamples: int = RESAMPLES) -> Floats:
    """Do the same as `resampled_sums` for a table of shape (tasks, k), sorted by `task_order`."""
    if seed < 0 or resamples < 0:
        raise ValueError("seed and number of resamples are whole numbers of at least 0")
    result = np.zeros((resamples, rows.shape[1] if rows.ndim == 2 else 0))
    if rows.size and resamples:
        done = 0
        for counts in _counts(len(rows), resamples, seed):
            np.matmul(counts.astype(np.float64), rows, out=result[done : done + len(counts)])
            done += len(counts)
    return result


def clear_cache() -> None:
    """Drop the cached draws, so that a benchmark measures drawing too."""
    _kept_counts.cache_clear()


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the element-wise quotient; NaN where the denominator is 0, without a warning."""
    result = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def percentile_interval(
    values: Floats, tasks: int | None = None, *, level: float = LEVEL
) -> Interval | None:
    """Return the central interval of the resampled values; None if all are NaN.

    NaN values do not count. A figure of the product is given `interval`, which knows when there
    should be none.

    Args:
        tasks: the number of tasks the statistic is based on. With few tasks plain percentiles
            cover the true value less often than `level`; `student.tail` corrects for that. None
            for plain percentiles.
    """
    defined = values[~np.isnan(values)]
    if defined.size == 0:
        return None
    tail = (1 - level) / 2 if tasks is None else tests.tail(level, tasks)
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def interval(values: Floats, tasks: int, *, span: Interval | None = None) -> Bounds:
    """Return the 95 % interval of a statistic from its resampled values, or why it has none.

    No resample leaves the range of its tasks, which holds the true median with a probability of
    1 - 2**(1 - tasks) at most, so fewer than `FEWEST_TASKS` have no interval. Where the tasks do
    not differ at all, resamples cannot say how far others would. If the statistic has a `span`,
    the interval is then that of the share of tasks which differ, seen in none of so many
    (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934), each at the worst by the whole span.

    Args:
        values: the resampled values, NaN where undefined.
        tasks: those that contribute to the statistic.
        span: the least and the greatest value of a statistic that is a mean over tasks, or a
            ratio of such means.
    """
    if not values.size:
        return None, Reason.NO_RESAMPLES
    if tasks < FEWEST_TASKS:
        return None, Reason.FEW_TASKS
    found = percentile_interval(values, tasks)
    if found is None:
        return None, Reason.NO_RESAMPLES
    low, high = found
    if high - low > _NOISE:
        return found, None
    if span is None:
        return None, Reason.NO_SPREAD
    differ = 1 - ((1 - LEVEL) / 2) ** (1 / tasks)
    return (low - differ * (low - span[0]), high + differ * (span[1] - high)), None


def gap_interval(gaps: Floats, tasks: int, *, most: float | None = None) -> Bounds:
    """Return the `interval` of a difference of two, which is from -most to most if that is given.

    Two that do not differ at all have none: that nothing differs needs no interval.
    """
    if most is None or not np.nan_to_num(gaps).any():
        return interval(gaps, tasks)
    return interval(gaps, tasks, span=(-most, most))


def ratio_intervals(
    table: Mapping[TaskId, Sequence[tuple[float, float]]],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    span: Interval | None = None,
) -> list[Bounds]:
    """Return the `interval` of each sum(numerators) / sum(denominators), from the same draws.

    Args:
        table: task -> (numerator, denominator) of each ratio; (0, 0) where it has none.
    """
    rows = {task: [part for pair in pairs for part in pair] for task, pairs in table.items()}
    if not rows:
        return []
    sums = resampled_sums(rows, seed=seed, resamples=resamples)
    return [
        interval(
            ratio(sums[:, at], sums[:, at + 1]),
            sum(1 for row in rows.values() if row[at + 1]),
            span=span,
        )
        for at in range(0, sums.shape[1], 2)
    ]


def difference_interval(
    first: Mapping[TaskId, tuple[float, float]],
    second: Mapping[TaskId, tuple[float, float]],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    most: float | None = None,
) -> Bounds:
    """Return the `gap_interval` of the first ratio minus the second, paired by task.

    Only tasks in both tables count.
    """
    table = {task: (*first[task], *second[task]) for task in first.keys() & second.keys()}
    if not table:
        return None, Reason.NO_COMMON_TASKS
    sums = resampled_sums(table, seed=seed, resamples=resamples)
    gaps = ratio(sums[:, 0], sums[:, 1]) - ratio(sums[:, 2], sums[:, 3])
    return gap_interval(gaps, sum(1 for row in table.values() if row[1] and row[3]), most=most)


def _counts(tasks: int, resamples: int, seed: int) -> Iterator[NDArray[np.uint16]]:
    """Yield how often each task is drawn in each resample, in blocks of rows."""
    if tasks * resamples > _KEEP:
        yield from _draw_counts(tasks, resamples, seed)
        return
    kept = _kept_counts(tasks, resamples, seed)
    rows = _rows(tasks)
    for start in range(0, resamples, rows):
        yield kept[start : start + rows]


@functools.lru_cache(maxsize=2)
def _kept_counts(tasks: int, resamples: int, seed: int) -> NDArray[np.uint16]:
    counts = np.concatenate(list(_draw_counts(tasks, resamples, seed)))
    counts.flags.writeable = False
    return counts


def _draw_counts(tasks: int, resamples: int, seed: int) -> Iterator[NDArray[np.uint16]]:
    # The raw stream of the bit generator is the same in all versions of numpy, unlike the methods
    # of Generator, so that a published interval can be reproduced years later. A draw is the high
    # half of (32 random bits * tasks); its bias, tasks / 2**32, is far below the resampling error.
    stream = np.random.PCG64(seed)
    rows = _rows(tasks)
    for start in range(0, resamples, rows):
        height = min(rows, resamples - start)
        size = height * tasks
        raw = np.asarray(stream.random_raw((size + 1) // 2)).astype("<u8").view("<u4")[:size]
        drawn = (raw.astype(np.uint64) * np.uint64(tasks)) >> np.uint64(32)
        offsets = np.repeat(np.arange(height, dtype=np.int64) * tasks, tasks)
        flat = np.bincount(drawn.astype(np.int64) + offsets, minlength=size)
        yield flat.reshape(height, tasks).astype(np.uint16)


def _rows(tasks: int) -> int:
    return max(1, _CHUNK // tasks)
