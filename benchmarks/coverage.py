"""Measures how often the intervals cover a known truth, on simulated programmes.

    python -m benchmarks.coverage [--programmes 500] [--sizes 20,40,80,245] [--world usual]

**The process.** A task has a rubric of lines with weights from 1 to 10, a difficulty, and a
hardness of grading. Each candidate meets a line or not, depending on its skill and the difficulty.
Expert and judge read every line and err at a set rate, which varies with the hardness of the task;
the judge errs more often towards met. The one-shot and the zero-shot judge share a part of their
errors, as two prompts of one model do. Scores, pairs and intervals are computed by the product's
functions.

**The truth** is the value for infinitely many tasks of that process, with the same candidates,
experts and judges: micro, E[A − D] / E[pairs]; macro, the mean of the tasks' own CDR among tasks
with a pair; and the difference of two micro values. It is estimated from `TRUTH` tasks; its
standard error, which is printed, is far below the width of any interval.

**Boards.** Four candidates that differ by chance alone should be separated on at most 5 % of
boards, whatever the number of tasks: Holm's correction promises that.

The shares have a standard error themselves (about 1 percentage point for 500 programmes). Results
go to `var/bench/coverage.json`.
"""

import argparse
import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.base.stats.leaderboard import leaderboard
from judge.base.stats.preference import PairCounts, PreferenceReport, difference, summarise
from judge.base.stats.proportions import wilson

ROOT = Path(__file__).resolve().parent.parent
TRUTH = 400_000  # tasks behind the known truth
_BLOCK = 4_000  # tasks simulated at once
Counts = NDArray[np.int64]  # (tasks, 4): agree, reversed, judge ties, expert ties
FIGURES = ("cdr_micro", "cdr_macro", "difference")


@dataclass(frozen=True, slots=True)
class World:
    """Parameters of a simulation. Error rates are mean shares of lines read wrongly."""

    skills: tuple[float, ...] = (0.35, 0.45, 0.50, 0.55, 0.60, 0.75)
    lines: int = 17
    expert_error: float = 0.08
    one_shot_error: float = 0.18
    zero_shot_error: float = 0.27
    shared: float = 0.4  # share of the one-shot judge's errors that the zero-shot judge makes too
    kindness: float = 0.04  # shift of both judges towards met

    def tasks(self, number: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """Return the pairs per task of the one-shot and the zero-shot judge, with one expert."""
        made = [self._block(min(_BLOCK, number - start), rng) for start in range(0, number, _BLOCK)]
        return np.concatenate([m[0] for m in made]), np.concatenate([m[1] for m in made])

    def _block(self, number: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        shape = (number, len(self.skills), self.lines)
        weights = rng.integers(1, 11, size=(number, 1, self.lines))
        difficulty = rng.normal(0, 0.15, size=(number, 1, 1))
        chance = np.clip(np.array(self.skills)[None, :, None] - difficulty, 0.03, 0.97)
        met = rng.random(shape) < chance
        # A factor with mean 1, common to all readers of a task, so that errors cluster by task.
        hardness = rng.gamma(4, 1 / 4, size=(number, 1, 1))

        def read(error: float, luck: NDArray[np.float64], kind: float) -> NDArray[np.int64]:
            rate = np.clip(error * hardness + np.where(met, -kind, kind), 0.0, 0.5)
            return (weights * (met ^ (luck < rate))).sum(axis=2)

        luck = rng.random(shape)
        other = np.where(rng.random(shape) < self.shared, luck, rng.random(shape))
        experts = read(self.expert_error, rng.random(shape), 0.0)
        return (
            pairs(experts, read(self.one_shot_error, luck, self.kindness)),
            pairs(experts, read(self.zero_shot_error, other, self.kindness)),
        )


WORLDS = {
    "usual": World(),
    "near-perfect": World(
        skills=(0.35, 0.65), expert_error=0.02, one_shot_error=0.05, zero_shot_error=0.12
    ),
    "near-chance": World(one_shot_error=0.42, zero_shot_error=0.45, kindness=0.1),
    "short-rubrics": World(skills=(0.4, 0.5, 0.6), lines=5),
    "many-candidates": World(skills=tuple(0.3 + 0.5 * n / 13 for n in range(14))),
}


def pairs(experts: NDArray[np.int64], judges: NDArray[np.int64]) -> Counts:
    """Count the pairs of each task, as `judge.base.stats.preference.count_pairs` does."""
    first, second = np.triu_indices(experts.shape[1], k=1)
    wanted = np.sign(experts[:, first] - experts[:, second])
    judged = np.sign(judges[:, first] - judges[:, second])
    strict = wanted != 0
    return np.stack(
        [
            (strict & (judged == wanted)).sum(axis=1),
            (strict & (judged == -wanted)).sum(axis=1),
            (strict & (judged == 0)).sum(axis=1),
            (~strict).sum(axis=1),
        ],
        axis=1,
    )


def truth_of(one: Counts, two: Counts) -> dict[str, tuple[float, float]]:
    """Return figure -> (value over all tasks, standard error by the delta method)."""
    share, cdr, macro = [], [], None
    for counts in (one, two):
        above, below = (counts[:, 0] - counts[:, 1]).astype(float), counts[:, :3].sum(axis=1)
        cdr.append(above.sum() / below.sum())
        share.append((above - cdr[-1] * below) / below.mean())
        if macro is None:
            macro = above[below > 0] / below[below > 0]
    assert macro is not None
    root = math.sqrt(len(one))
    return {
        "cdr_micro": (cdr[0], share[0].std() / root),
        "cdr_macro": (float(macro.mean()), float(macro.std()) / math.sqrt(len(macro))),
        "difference": (cdr[0] - cdr[1], (share[0] - share[1]).std() / root),
    }


def intervals_of(
    one: Counts, two: Counts, *, seed: int, resamples: int
) -> dict[str, tuple[float, float] | None]:
    """Return the intervals the product reports for one programme."""
    first, second = (_report(counts, seed, resamples) for counts in (one, two))
    gap = difference(first, second, seed=seed, resamples=resamples)
    return {
        "cdr_micro": first.ci95,
        "cdr_macro": first.macro_ci95,
        "difference": gap.ci95,
    }


def _report(counts: Counts, seed: int, resamples: int) -> PreferenceReport:
    return summarise(
        {
            f"t{n}": PairCounts(agree=a, reversed=d, judge_ties=t, expert_ties=h)
            for n, (a, d, t, h) in enumerate(counts.tolist())
        },
        seed=seed,
        resamples=resamples,
    )


def measure(
    size: int, programmes: int, resamples: int, truth: dict[str, tuple[float, float]], world: World
) -> dict[str, Any]:
    """Return how often each interval covers the truth over `programmes` of `size` tasks."""
    covered = dict.fromkeys(FIGURES, 0)
    below, above = dict.fromkeys(FIGURES, 0), dict.fromkeys(FIGURES, 0)
    width = dict.fromkeys(FIGURES, 0.0)
    for number in range(programmes):
        rng = np.random.default_rng([size, number])
        found = intervals_of(*world.tasks(size, rng), seed=number, resamples=resamples)
        for name, interval in found.items():
            assert interval is not None
            low, high = interval
            covered[name] += low <= truth[name][0] <= high
            below[name] += high < truth[name][0]
            above[name] += low > truth[name][0]
            width[name] += (high - low) / programmes
    answer = {}
    for name in FIGURES:
        low, high = wilson(covered[name], programmes) or (0.0, 1.0)
        answer[name] = {
            "covered": covered[name] / programmes,
            "interval_of_that": [round(low, 4), round(high, 4)],
            "truth_above": above[name] and above[name] / programmes,
            "truth_below": below[name] and below[name] / programmes,
            "mean_width": round(width[name], 4),
        }
    return answer


def wrong_boards(size: int, boards: int, resamples: int) -> float:
    """Return the share of boards of four equal candidates on which some pair is separated."""
    wrong = 0
    for number in range(boards):
        rng = np.random.default_rng([size, number])
        difficulty = rng.normal(0, 0.25, size)
        results = {
            name: {
                f"t{n}": float(np.clip(0.5 + difficulty[n] + rng.normal(0, 0.15), 0, 1))
                for n in range(size)
            }
            for name in "abcd"
        }
        board = leaderboard(results, seed=number, resamples=resamples)
        wrong += any(comparison.better for comparison in board.comparisons)
    return wrong / boards


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage")
    parser.add_argument("--programmes", type=int, default=500)
    parser.add_argument("--sizes", default="20,40,80,245", help="tasks of a programme")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--world", choices=WORLDS, default="usual")
    arguments = parser.parse_args()
    world, began = WORLDS[arguments.world], time.perf_counter()
    truth = truth_of(*world.tasks(TRUTH, np.random.default_rng(20_000)))
    for name, (value, error) in truth.items():
        print(f"true {name:12} {value:.4f} ± {error:.4f}", flush=True)
    results: dict[str, Any] = {
        "world": arguments.world,
        "programmes": arguments.programmes,
        "resamples": arguments.resamples,
        "truth": {name: value for name, (value, _error) in truth.items()},
        "tasks": {},
    }
    for size in map(int, arguments.sizes.split(",")):
        found = measure(size, arguments.programmes, arguments.resamples, truth, world)
        results["tasks"][size] = found
        for name, row in found.items():
            print(
                f"{size:4} tasks  {name:12} covered {100 * row['covered']:5.1f} %  "
                f"(of {arguments.programmes}: {100 * row['interval_of_that'][0]:.1f} to "
                f"{100 * row['interval_of_that'][1]:.1f})  width {row['mean_width']:.3f}",
                flush=True,
            )
    results["equal candidates told apart"] = {}
    for size in (10, 20, 40, 80):
        share = wrong_boards(size, arguments.programmes, 2000)
        results["equal candidates told apart"][size] = share
        print(f"{size:4} tasks  four equal candidates: some pair told apart on {100 * share:.1f} %")
    results["seconds"] = round(time.perf_counter() - began, 1)
    out = ROOT / "var" / "bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "coverage.json").write_text(json.dumps(results, indent=2) + "\n")
    inside = [
        0.93 <= row["covered"] <= 0.97
        for rows in results["tasks"].values()
        for row in rows.values()
    ]
    print(f"{sum(inside)} of {len(inside)} shares lie between 93 and 97 %; {results['seconds']} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
