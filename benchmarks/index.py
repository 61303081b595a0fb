"""Measures how fast the index over versions is computed, and how often its intervals hold.

    python -m benchmarks.index [--tasks 200] [--versions 100] [--coverage 0]

Draws abilities and tasks, fits complete and incomplete score matrices and prints milliseconds of
wall clock and processor. With `--coverage N`, N simulations of each shape also say in what share
of cases the 95 % interval holds the true ability. Results go to `var/bench/index.json`.
"""

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from judge.stats.irt import Fit, fit, probability

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5


def simulated(
    seed: int, versions: int, tasks: int, missing: float, periods: int, lines: int
) -> tuple[Any, Any, Any]:
    """Return scores, periods and true abilities; `lines` above 1 makes graded scores."""
    random = np.random.default_rng(seed)
    groups = np.arange(versions) % periods
    theta = random.normal(size=versions) + 0.4 * groups
    a, b = np.exp(random.normal(0, 0.4, tasks)), random.normal(0, 1.2, tasks)
    scores = random.binomial(lines, probability(theta, a, b)) / lines
    scores[random.random((versions, tasks)) < missing] = np.nan
    return scores, groups, theta


def seconds(versions: int, tasks: int, missing: float, lines: int) -> dict[str, Any]:
    """Fit several times; return the median time and the steps of the last fit."""
    wall, processor = [], []
    found: Fit | None = None
    for seed in range(RUNS):
        scores, groups, _theta = simulated(seed, versions, tasks, missing, 4, lines)
        began, worked = time.perf_counter(), time.process_time()
        found = fit(scores, groups, 0)
        wall.append(time.perf_counter() - began)
        processor.append(time.process_time() - worked)
    return {
        "versions": versions,
        "tasks": tasks,
        "missing": missing,
        "graded": lines > 1,
        "wall_ms": round(1000 * statistics.median(wall)),
        "processor_ms": round(1000 * statistics.median(processor)),
        "steps": found.steps if found else 0,
    }


def coverage(
    count: int, versions: int, tasks: int, missing: float, periods: int, lines: int
) -> dict[str, Any]:
    """Return the share of intervals that hold the truth over `count` simulations."""
    hits = all_ = 0
    for seed in range(count):
        scores, groups, theta = simulated(seed, versions, tasks, missing, periods, lines)
        reference = groups == 0
        truth = (theta - theta[reference].mean()) / theta[reference].std()
        for true, found in zip(truth, fit(scores, groups, 0).abilities, strict=True):
            if found.ci95 is not None:
                all_ += 1
                hits += found.ci95[0] <= true <= found.ci95[1]
    return {
        "versions": versions,
        "tasks": tasks,
        "missing": missing,
        "periods": periods,
        "graded": lines > 1,
        "intervals": all_,
        "coverage": round(float(hits / all_), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--versions", type=int, default=100)
    parser.add_argument("--coverage", type=int, default=0)
    options = parser.parse_args()
    size = (options.versions, options.tasks)
    results: dict[str, Any] = {
        "speed": [seconds(*size, missing, lines) for missing, lines in ((0, 1), (0.6, 1), (0.6, 5))]
    }
    for row in results["speed"]:
        print(row)
    if options.coverage:
        results["coverage"] = []
        for shape in (
            (*size, 0.6, 1, 1), (*size, 0.6, 4, 1), (60, 100, 0.6, 1, 1), (60, 100, 0.6, 3, 1),
            (40, 60, 0.6, 2, 1), (60, 100, 0.6, 3, 5),
        ):  # fmt: skip
            results["coverage"].append(coverage(options.coverage, *shape))
            print(results["coverage"][-1], flush=True)
    target = ROOT / "var" / "bench" / "index.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
