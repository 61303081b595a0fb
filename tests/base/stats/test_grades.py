"""Agreement of grades against scikit-learn, statsmodels and scipy, and by hand."""

import itertools
import random

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from judge.base.stats.grades import STEPS, both_directions, grade_report
from judge.base.stats.numbers import Reason


def graded(seed, n=60, tasks=12):
    draw = random.Random(seed)
    rows = []
    for i in range(n):
        first = draw.randint(1, STEPS)
        second = min(STEPS, max(1, first + draw.choice((-2, -1, 0, 0, 0, 1))))
        rows.append((f"task-{i % tasks}", first, second))
    return rows


@pytest.mark.parametrize("seed", range(6))
def test_the_figures_are_those_of_established_libraries(seed):
    rows = graded(seed)
    first, second = [row[1] for row in rows], [row[2] for row in rows]

    values = grade_report(rows, resamples=0).values

    labels = list(range(1, STEPS + 1))
    quadratic = cohen_kappa_score(first, second, labels=labels, weights="quadratic")
    linear = cohen_kappa_score(first, second, labels=labels, weights="linear")
    table = np.zeros((STEPS, STEPS))
    for a, b in zip(first, second, strict=True):
        table[a - 1, b - 1] += 1
    assert values["kappa"] == pytest.approx(quadratic)
    assert values["kappa"] == pytest.approx(cohens_kappa(table, wt="quadratic").kappa)
    assert values["kappa_linear"] == pytest.approx(linear)
    assert values["spearman"] == pytest.approx(spearmanr(first, second).statistic)
    assert values["kendall"] == pytest.approx(kendalltau(first, second).statistic)
    assert values["bias"] == pytest.approx(np.mean(second) - np.mean(first))
    assert values["mae"] == pytest.approx(np.mean(np.abs(np.subtract(first, second))))


def test_a_table_computed_by_hand():
    # Four gradings: 1-1, 2-2, 5-4, 5-5. Observed squared gaps: 1. Expected: 1/4 of the products.
    rows = [("a", 1, 1), ("a", 2, 2), ("b", 5, 4), ("b", 5, 5)]

    report = grade_report(rows, resamples=0)

    expected = sum((x - y) ** 2 for x in (1, 2, 5, 5) for y in (1, 2, 4, 5)) / 4
    assert report.values["kappa"] == pytest.approx(1 - 1 / expected)
    assert report.values["exact"] == 0.75
    assert report.values["within_one"] == 1
    assert report.values["bias"] == -0.25
    assert (report.pairs, report.missing, report.tasks) == (4, 0, 2)


def test_the_interval_holds_the_value_and_is_the_same_each_time():
    rows = graded(3, n=120, tasks=30)

    first, again = (grade_report(rows, seed=7, resamples=2000) for _ in range(2))
    shuffled = grade_report(random.Random(1).sample(rows, len(rows)), seed=7, resamples=2000)

    for name in ("kappa", "spearman", "bias"):
        low, high = first.ci95[name]
        assert low < first.values[name] < high
    assert first.ci95 == again.ci95 == shuffled.ci95


def test_what_cannot_be_computed_has_a_reason_and_no_number():
    nothing = grade_report([])
    unjudged = grade_report([("a", 3, None)])
    constant = grade_report([("a", 3, 3), ("b", 3, 3)], resamples=50)
    few_tasks = grade_report([(n, 1 + n % 2, 2) for n in range(5)], resamples=50)
    alike = grade_report([(n, step, step) for n in range(9) for step in (1, 4)], resamples=50)

    assert nothing.values["kappa"] is None
    assert nothing.why["kappa"] is Reason.NO_SCORES
    assert unjudged.why["bias"] is Reason.NONE_JUDGED
    assert unjudged.missing == 1
    assert constant.values["kappa"] is None
    assert constant.why["kappa"] is Reason.ONE_CLASS
    assert constant.why["spearman"] is Reason.CONSTANT
    assert constant.values["bias"] == 0
    assert few_tasks.ci95["kappa"] is None
    assert few_tasks.why["kappa_ci95"] is Reason.FEW_TASKS
    assert (alike.values["kappa"], alike.ci95["kappa"]) == (1, None)
    assert alike.why["kappa_ci95"] is Reason.NO_SPREAD


@pytest.mark.parametrize("row", [("a", 0, 3), ("a", 6, 3), ("a", 3, 6)])
def test_a_grade_outside_of_the_scale_is_refused(row):
    with pytest.raises(ValueError, match="grade"):
        grade_report([row])


def test_the_agreement_of_several_raters_does_not_depend_on_their_order():
    draw = random.Random(5)
    responses = [
        (f"task-{i % 10}", {rater: draw.randint(1, STEPS) for rater in ("x", "y", "z")})
        for i in range(30)
    ]
    pairs = both_directions(responses)

    report = grade_report(pairs, resamples=0)
    swapped = grade_report([(task, b, a) for task, a, b in pairs], resamples=0)

    first, second = [], []
    for _task, given in responses:
        for a, b in itertools.permutations(given.values(), 2):
            first.append(a)
            second.append(b)
    assert report.pairs == 30 * 6
    assert report.values == pytest.approx(swapped.values)
    assert report.values["kappa"] == pytest.approx(
        cohen_kappa_score(first, second, labels=list(range(1, 6)), weights="quadratic")
    )
    assert report.values["bias"] == 0
