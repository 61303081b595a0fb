"""Prints from how many tasks on intervals hold, and how many a leaderboard needs for a verdict.

    python -m benchmarks.few_tasks [--sets 2000]

**Intervals.** Sets of tasks are drawn from processes whose truth is known, and the product's own
resampling is asked for the interval of each, also below the six tasks from which the product gives
one. Shown is the share of intervals that hold the truth, and in brackets the share without width,
which the product replaces or leaves out.

- normal: the score of a task is normal; the mean of tasks.
- CDR: ten pairs a task, of which a share that differs by task is in the experts' order.
- near-perfect: one pair a task, in the experts' order in 97 % of tasks.

**Leaderboard.** For so many candidates, the fewest common tasks from which any two can be told
apart at 5 % after Holm's correction for all pairs.

Both tables are those of docs/decisions/0011-measuring.md; the seeds are fixed.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import bootstrap
from judge.base.stats.leaderboard import ALPHA
from judge.base.stats.tests import fewest_tasks

ROOT = Path(__file__).resolve().parent.parent
SIZES = (2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 40)
CANDIDATES = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50)
RESAMPLES = 2_000
SPAN = (-1.0, 1.0)

Rows = NDArray[np.float64]  # (tasks, 2): numerator and denominator of each task
Draw = Callable[[np.random.Generator, int], Rows]


def normal(rng: np.random.Generator, tasks: int) -> Rows:
    return np.stack([rng.normal(0.0, 0.2, tasks), np.ones(tasks)], axis=1)


def cdr(rng: np.random.Generator, tasks: int) -> Rows:
    agree = rng.binomial(10, rng.beta(6, 2, tasks))
    return np.stack([2.0 * agree - 10, np.full(tasks, 10.0)], axis=1)


def near_perfect(rng: np.random.Generator, tasks: int) -> Rows:
    return np.stack([np.where(rng.random(tasks) < 0.97, 1.0, -1.0), np.ones(tasks)], axis=1)


# name -> (process, its truth, the span of the statistic)
PROCESSES: dict[str, tuple[Draw, float, tuple[float, float] | None]] = {
    "normal": (normal, 0.0, None),
    "CDR": (cdr, 2 * 6 / 8 - 1, SPAN),
    "near-perfect": (near_perfect, 2 * 0.97 - 1, SPAN),
}


def coverage(name: str, tasks: int, sets: int) -> dict[str, Any]:
    """Return the shares of intervals that hold the truth: resampled, and as the product gives them.

    `product` is None where it gives none; `flat` is the share of resampled ones without width.
    """
    draw, truth, span = PROCESSES[name]
    held = flat = given = held_given = 0
    for number in range(sets):
        rows = draw(np.random.default_rng([tasks, number]), tasks)
        sums = bootstrap.resampled_rows(rows, seed=number, resamples=RESAMPLES)
        values = bootstrap.ratio(sums[:, 0], sums[:, 1])
        low, high = bootstrap.percentile_interval(values, tasks) or (math.nan, math.nan)
        held += low <= truth <= high
        flat += high - low < 1e-9
        found, _reason = bootstrap.interval(values, tasks, span=span)
        if found is not None:
            given += 1
            held_given += found[0] <= truth <= found[1]
    return {
        "resampled": held / sets,
        "flat": flat / sets,
        "product": held_given / given if given else None,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.few_tasks")
    parser.add_argument("--sets", type=int, default=2_000, help="sets of tasks for each share")
    arguments = parser.parse_args()
    found = {
        name: {tasks: coverage(name, tasks, arguments.sets) for tasks in SIZES}
        for name in PROCESSES
    }
    names = list(PROCESSES)
    print(f"| tasks | {' | '.join(f'{name}: resampled, given' for name in names)} |")
    print(f"|---|{'---|' * len(names)}")
    for tasks in SIZES:
        cells = [_cell(found[name][tasks]) for name in names]
        print(f"| {tasks} | {' | '.join(cells)} |", flush=True)
    needed = {n: fewest_tasks(math.comb(n, 2), ALPHA) for n in CANDIDATES}
    print(f"\n| candidates | {' | '.join(map(str, CANDIDATES))} |")
    print(f"|---|{'---|' * len(CANDIDATES)}")
    print(f"| tasks | {' | '.join(str(needed[n]) for n in CANDIDATES)} |")
    out = ROOT / "var" / "bench"
    out.mkdir(parents=True, exist_ok=True)
    results = {"sets": arguments.sets, "coverage": found, "tasks needed": needed}
    (out / "few_tasks.json").write_text(json.dumps(results, indent=2) + "\n")
    return 0


def _cell(row: dict[str, Any]) -> str:
    flat = f" ({100 * row['flat']:.0f})" if round(100 * row["flat"]) else ""
    given = "none" if row["product"] is None else f"{100 * row['product']:.1f}"
    return f"{100 * row['resampled']:.1f}{flat}, {given}"


if __name__ == "__main__":
    sys.exit(main())
