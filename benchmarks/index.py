"""Measures whether the index over versions tells growth, and how fast it is computed.

    python -m benchmarks.index [--draws 0] [--speed-only]

Growth: a benchmark of products as it grows in practice. Every product has three versions, each 0.6
logits better than the one before, over six periods; a version is measured in two adjacent periods,
and with half of the products in the first one of its successor as well. A period has 100 tasks,
most of them new, which get harder from period to period. The table compares what the index shows
with the truth, in the unit of the scale, and with the least error that any unbiased estimator has
(C. R. Rao, 1945), even one that knows the spread of the tasks and that no version drifts.

Speed: processor seconds and peak memory of one fit of 60 versions on 10,000 tasks.

Results go to `var/bench/index.json`.
"""

import argparse
import itertools
import json
import resource
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from judge.base.stats.irt import fit, probability
from judge.base.stats.irt_model import Data, evaluate
from judge.base.stats.irt_report import form_of_unit

ROOT = Path(__file__).resolve().parent.parent
PERIODS, TASKS, VERSIONS, GAIN = 6, 100, 3, 0.6
PRODUCTS, HARDER, COMMON = (4, 8, 12, 40), (0.0, 0.25, 0.5), (0.1, 0.3, 0.5)
DRAWS = {4: 60, 8: 40, 12: 24, 40: 6}
Matrix = np.ndarray[Any, Any]


class Draw(NamedTuple):
    """Simulated scores with the period, version and true ability of each row, and the tasks' μ."""

    scores: Matrix
    groups: Matrix
    versions: Matrix
    theta: Matrix
    means: Matrix


def drawn(seed: int, products: int, harder: float, common: float, drift: float = 0.0) -> Draw:
    """Draw the scores of one benchmark.

    Args:
        harder: by how much the mean difficulty of new tasks rises from period to period, logits.
        common: the share of a period's tasks that were asked in the one before.
        drift: the standard deviation of a version's ability between periods, logits.
    """
    random = np.random.default_rng(seed)
    rows = [
        (product, version, period)
        for product in range(products)
        for version in range(VERSIONS)
        for period in range(2 * version, min(2 * version + 2 + (product % 2 == 0), PERIODS))
    ]
    product, version, period = np.array(rows).T
    theta = random.normal(size=products)[product] + GAIN * version
    theta = theta + drift * random.normal(size=len(rows))
    a, b, asked = np.zeros(0), np.zeros(0), np.zeros(0, dtype=int)
    kept = round(common * TASKS)
    scores = np.full((len(rows), TASKS + (PERIODS - 1) * (TASKS - kept)), np.nan)
    for now in range(PERIODS):
        new = TASKS - kept if now else TASKS
        old = random.choice(asked, kept, replace=False) if now else asked
        asked = np.concatenate([old, np.arange(len(a), len(a) + new)])
        a = np.concatenate([a, np.exp(random.normal(0, 0.4, new))])
        b = np.concatenate([b, random.normal(harder * now, 1.2, new)])
        here = np.flatnonzero(period == now)
        p = probability(theta[here], a[asked], b[asked])
        scores[np.ix_(here, asked)] = random.random(p.shape) < p
    return Draw(scores, period, product * VERSIONS + version, theta, harder * np.arange(PERIODS))


class Outcome(NamedTuple):
    """What one fit says: growth in the unit of the scale, None where the index refuses it."""

    shown: float | None
    true: float
    least: float
    hits: int
    intervals: int


def outcome(draw: Draw) -> Outcome:
    """Fit a draw and compare it with the truth."""
    first, last = draw.groups == 0, draw.groups == PERIODS - 1
    spread = np.sqrt(draw.theta @ unit(draw) @ draw.theta)
    truth = (draw.theta - draw.theta[first].mean()) / spread
    found = fit(draw.scores, draw.groups, draw.versions, 0).abilities
    known = [
        (one.ci95[0] <= true <= one.ci95[1])
        for one, true in zip(found, truth, strict=True)
        if one.ci95 is not None
    ]
    thetas = np.array([np.nan if one.theta is None else one.theta for one in found])
    ends = [thetas[mine][~np.isnan(thetas[mine])] for mine in (first, last)]
    shown = float(ends[1].mean() - ends[0].mean()) if len(ends[1]) else None
    return Outcome(shown, float(truth[last].mean()), least(draw), sum(known), len(known))


def unit(draw: Draw) -> Matrix:
    """Return the form whose value at the abilities is the square of the unit."""
    form = form_of_unit(draw.groups, draw.groups == 0)
    assert form is not None  # each period has several rows
    return form


def least(draw: Draw) -> float:
    """Return the least standard error of the growth: the Cramér–Rao bound of this design.

    The information at the truth, with σ known and all rows of a version of one ability.
    """
    data = Data(draw.scores, draw.groups, draw.versions)
    rows = len(draw.theta)
    parameters = np.concatenate([draw.theta, draw.means, [np.log(1.2)]])
    whole = evaluate(data, parameters)[2][:-1, :-1]
    # Rows of a version are one; the translation is held by the first version.
    by_version = np.zeros((rows + PERIODS, draw.versions.max() + 1 + PERIODS))
    by_version[np.arange(rows), draw.versions] = 1.0
    by_version[rows + np.arange(PERIODS), draw.versions.max() + 1 + np.arange(PERIODS)] = 1.0
    by_version = by_version[:, 1:]
    covariance = np.linalg.inv(by_version.T @ whole @ by_version)
    first, last = draw.groups == 0, draw.groups == PERIODS - 1
    by_theta = unit(draw) @ draw.theta
    square = float(draw.theta @ by_theta)
    spread = np.sqrt(square)
    growth = draw.theta[last].mean() - draw.theta[first].mean()
    slope = last / last.sum() - first / first.sum() - growth * by_theta / square
    slope = np.concatenate([slope / spread, np.zeros(PERIODS)]) @ by_version
    return float(np.sqrt(slope @ covariance @ slope))


def growth(products: int, harder: float, common: float, draws: int) -> dict[str, Any]:
    """Return one row of the table over some draws."""
    all_ = [outcome(drawn(seed, products, harder, common)) for seed in range(draws)]
    known = [one for one in all_ if one.shown is not None]
    shown, true = (np.array([getattr(one, name) for one in known]) for name in ("shown", "true"))
    intervals = sum(one.intervals for one in all_)
    return {
        "products": products,
        "harder": harder,
        "common": common,
        "draws": draws,
        "refused": 1 - len(known) / draws,
        "true": float(true.mean()) if known else None,
        "shown": float(shown.mean()) if known else None,
        "error_of_mean": float(shown.mean() / true.mean() - 1) if known else None,
        "error": float(np.sqrt(((shown / true - 1) ** 2).mean())) if known else None,
        "least_error": float(np.sqrt(np.mean([(one.least / one.true) ** 2 for one in all_]))),
        "wrong_sign": int((shown <= 0).sum()),
        "coverage": sum(one.hits for one in all_) / intervals if intervals else None,
    }


HEAD = (
    "| products | harder | common | draws | refused | true | shown | error of mean | error | "
    "least error | wrong sign | intervals hold |\n" + "|---" * 12 + "|"
)


def as_row(row: dict[str, Any]) -> str:
    """Format a row of the table as Markdown."""

    def share(name: str) -> str:
        return "–" if row[name] is None else f"{round(100 * row[name])} %".replace("-", "−")

    def number(name: str) -> str:
        return "–" if row[name] is None else f"{row[name]:.2f}"

    cells = [
        str(row["products"]), f"{row['harder']:g}", share("common"), str(row["draws"]),
        share("refused"), number("true"), number("shown"), share("error_of_mean"), share("error"),
        share("least_error"), str(row["wrong_sign"]), share("coverage"),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def speed(versions: int, tasks: int) -> dict[str, Any]:
    """Fit versions on tasks of six periods, half of the cells missing; return time and memory."""
    random = np.random.default_rng(1)
    theta, groups = random.normal(size=versions), np.arange(versions) % PERIODS
    a, b = np.exp(random.normal(0, 0.4, tasks)), random.normal(0, 1.2, tasks)
    scores = (random.random((versions, tasks)) < probability(theta, a, b)).astype(float)
    scores[random.random(scores.shape) < 0.5] = np.nan
    began = time.process_time()
    found = fit(scores, groups, np.arange(versions), 0)
    return {
        "versions": versions,
        "tasks": tasks,
        "processor_seconds": round(time.process_time() - began, 1),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "steps": found.steps,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=0, help="of each row; 0 is as in the table")
    parser.add_argument("--speed-only", action="store_true")
    options = parser.parse_args()
    results: dict[str, Any] = {"speed": speed(60, 10_000), "growth": []}
    print(results["speed"], flush=True)
    if not options.speed_only:
        print(HEAD)
        for products, harder, common in itertools.product(PRODUCTS, HARDER, COMMON):
            row = growth(products, harder, common, options.draws or DRAWS[products])
            results["growth"].append(row)
            print(as_row(row), flush=True)
    target = ROOT / "var" / "bench" / "index.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
