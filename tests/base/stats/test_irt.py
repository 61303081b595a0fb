"""The model behind the index, against a known truth, another implementation and its edges."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.index import drawn, outcome
from judge.base.stats import irt
from judge.base.stats.irt import probability
from judge.base.stats.irt_model import Data, at_nodes, evaluate
from judge.base.stats.numbers import Reason

NONE = float("nan")


def fit(scores, groups, reference):
    """Fit rows that are each a version of its own."""
    return irt.fit(scores, groups, np.arange(len(scores)), reference)


def simulated(seed, rows, tasks, *, missing=0.0, periods=1, lines=1):
    """Draw scores from known abilities and tasks; `lines` above 1 makes graded scores."""
    random = np.random.default_rng(seed)
    groups = np.arange(rows) % periods
    theta = random.normal(size=rows) + 0.4 * groups
    a, b = np.exp(random.normal(0, 0.4, tasks)), random.normal(0, 1.2, tasks)
    scores = random.binomial(lines, probability(theta, a, b)) / lines
    scores[random.random((rows, tasks)) < missing] = NONE
    return scores, groups, theta, a, b


def on_the_scale_of(reference, theta):
    return (theta - theta[reference].mean()) / theta[reference].std()


def rank_agreement(first, second):
    """Spearman's coefficient of numbers without ties."""
    places = [np.argsort(np.argsort(values)) for values in (first, second)]
    return np.corrcoef(*places)[0, 1]


def coverage(seeds, **shape):
    """Return the share of intervals that hold the truth, and how many there are."""
    hits = count = 0
    for seed in seeds:
        scores, groups, theta, _a, _b = simulated(seed, **shape)
        truth = on_the_scale_of(groups == 0, theta)
        for true, found in zip(truth, fit(scores, groups, 0).abilities, strict=True):
            if found.ci95 is not None:
                count += 1
                hits += found.ci95[0] <= true <= found.ci95[1]
    return hits / count, count


def test_intervals_hold_the_true_ability_in_95_percent_with_most_cells_missing():
    share, count = coverage(range(8), rows=80, tasks=100, missing=0.6, periods=2)
    assert count == 640
    assert 0.93 <= share <= 0.97


def test_intervals_hold_the_true_ability_for_graded_scores_too():
    share, _count = coverage(range(8), rows=60, tasks=60, missing=0.6, lines=5)
    assert 0.93 <= share <= 0.97


def test_graded_scores_give_narrower_intervals_than_right_and_wrong():
    scores, groups, *_truth = simulated(3, 40, 60, lines=10)
    graded, coins = fit(scores, groups, 0), fit((scores > 0.5).astype(float), groups, 0)
    assert 0.05 < graded.dispersion < 0.2  # ten lines scatter a tenth as much as one
    assert coins.dispersion == 1.0
    assert np.mean([row.se for row in graded.abilities]) < 0.6 * np.mean(
        [row.se for row in coins.abilities if row.se]
    )


def test_tasks_are_recovered_within_their_errors():
    scores, groups, theta, a, b = simulated(11, 120, 60)
    found = fit(scores, groups, 0)
    spread = theta.std()
    told = [n for n, task in enumerate(found.tasks) if task.a is not None]
    true_a, true_b = a * spread, (b - theta.mean()) / spread
    of_a = [abs(found.tasks[n].a - true_a[n]) < 1.96 * found.tasks[n].se_a for n in told]
    of_b = [abs(found.tasks[n].b - true_b[n]) < 1.96 * found.tasks[n].se_b for n in told]
    assert np.mean(of_a) > 0.88
    assert np.mean(of_b) > 0.88


def test_the_order_agrees_with_another_implementation():
    stored = json.loads((Path(__file__).parent / "girth_2pl.json").read_text())
    scores = np.array([[float(mark) for mark in row] for row in stored["answers"]])
    found = fit(scores, np.zeros(len(scores), dtype=int), 0)
    assert rank_agreement([row.theta for row in found.abilities], stored["theta"]) > 0.99
    assert rank_agreement([task.b for task in found.tasks], stored["difficulty"]) > 0.98


def test_the_abilities_of_the_reference_have_mean_0_and_standard_deviation_1():
    scores, groups, *_truth = simulated(5, 60, 80, periods=3)
    for reference in (0, 2):
        found = fit(scores, groups, reference)
        mine = [found.abilities[n] for n in np.flatnonzero(groups == reference)]
        thetas = np.array([row.theta for row in mine])
        assert abs(thetas.mean()) < 1e-9
        # The estimates scatter more than the abilities, by their errors.
        assert thetas.std() > 1
        assert thetas.std() ** 2 - np.mean([row.se**2 for row in mine]) == pytest.approx(1, abs=0.1)


def test_the_reference_changes_the_scale_and_not_the_order():
    scores, groups, *_truth = simulated(5, 60, 80, periods=3)
    first, last = (
        [row.theta for row in fit(scores, groups, reference).abilities] for reference in (0, 2)
    )
    assert rank_agreement(first, last) > 0.99


def test_one_version_in_the_reference_is_zero_and_others_give_the_spread():
    scores, groups, *_truth = simulated(6, 30, 60)
    groups = np.where(np.arange(30) == 0, 0, 1)
    found = fit(scores, groups, 0)
    assert found.pooled
    assert found.abilities[0].theta == pytest.approx(0, abs=1e-9)
    others = np.array([row.theta for row in found.abilities[1:] if row.theta is not None])
    assert 0.7 < others.std() < 1.05


def test_growth_between_periods_with_few_common_tasks_is_kept():
    random = np.random.default_rng(8)
    theta = np.concatenate([random.normal(size=20), random.normal(2.0, 1.0, size=20)])
    a, b = np.exp(random.normal(0, 0.3, 120)), random.normal(0.8, 1.2, 120)
    scores = (random.random((40, 120)) < probability(theta, a, b)).astype(float)
    scores[:20, 75:], scores[20:, :45] = NONE, NONE  # thirty common tasks
    groups = np.repeat([0, 1], 20)
    found = fit(scores, groups, 0)
    truth = on_the_scale_of(groups == 0, theta)
    gain = np.mean([row.theta for row in found.abilities[20:]])
    assert gain == pytest.approx(truth[20:].mean(), abs=0.5)


@pytest.mark.parametrize(("harder", "common"), [(0.0, 0.3), (0.5, 0.3), (0.5, 0.5)])
def test_growth_of_few_products_is_told_where_new_tasks_get_harder(harder, common):
    """The table of docs/product_index.md is of more draws: `python -m benchmarks.index`."""
    told = [outcome(drawn(seed, 6, harder, common)) for seed in range(6)]
    shown, true = (np.array([getattr(one, name) for one in told]) for name in ("shown", "true"))
    assert (shown > 0).all()
    assert abs(shown.mean() / true.mean() - 1) < 0.25
    held = sum(one.hits for one in told) / sum(one.intervals for one in told)
    assert held > 0.9


def test_tasks_that_all_solve_count_and_do_not_make_the_others_look_harder():
    random = np.random.default_rng(4)
    theta = random.normal(size=16)
    old, new = random.normal(0, 1, 40), random.normal(-1.5, 1.0, 60)
    a, b = np.ones(100), np.concatenate([old, new])
    scores = (random.random((16, 100)) < probability(theta, a, b)).astype(float)
    scores[:8, 40:] = NONE  # the second period has sixty easy tasks more
    groups = np.repeat([0, 1], 8)
    solved = np.nanmean(scores, axis=0) == 1
    assert solved.sum() > 10
    found = fit(scores, groups, 0)
    assert {found.tasks[n].why for n in np.flatnonzero(solved)} == {Reason.ALL_RIGHT}
    assert found.cells_used == (~np.isnan(scores)).sum()
    without = fit(scores[:, ~solved], groups, 0)
    last = [np.mean([row.theta for row in one.abilities[8:]]) for one in (found, without)]
    assert last[1] < last[0]


def test_a_version_that_drifts_shows_it_and_one_that_does_not_is_known_better():
    thetas = {}
    for drift in (0.0, 0.8):
        draw = drawn(3, 12, 0.25, 0.5, drift)
        found = irt.fit(draw.scores, draw.groups, draw.versions, 0).abilities
        pairs = [np.flatnonzero(draw.versions == n)[:2] for n in set(draw.versions.tolist())]
        thetas[drift] = [found[two].theta - found[one].theta for one, two in pairs]
        true = [draw.theta[two] - draw.theta[one] for one, two in pairs]
        if drift:
            assert np.corrcoef(thetas[drift], true)[0, 1] > 0.8
    assert np.std(thetas[0.0]) < 0.2 < np.std(thetas[0.8])


def test_a_period_that_hardly_anything_links_has_a_reason_and_no_number():
    draw = drawn(1, 4, 0.25, 0.02)
    # Every version is measured in one period, so two tasks of a hundred are all that links.
    found = irt.fit(draw.scores, draw.groups, np.arange(len(draw.theta)), 0)
    why = {row.why for row, period in zip(found.abilities, draw.groups, strict=True) if period}
    assert why == {Reason.WEAK_LINK}
    assert all(found.abilities[n].theta is not None for n in np.flatnonzero(draw.groups == 0))
    assert found.contrasts.shape == (4, 4)


def test_the_information_is_the_curvature_of_the_likelihood():
    draw = drawn(5, 3, 0.25, 0.5)
    data = Data(draw.scores, draw.groups, draw.versions)
    at = np.concatenate([draw.theta, draw.means, [0.2]])
    information, step = evaluate(data, at)[2], 1e-3

    def likelihood(*moves):
        there = at.copy()
        for place, by in moves:
            there[place] += by
        return sum(at_nodes(data, block, there).log_likelihood for block in data.blocks)

    for one, two in [(0, 0), (0, 1), (0, -2), (3, -1), (-2, -2), (-3, -1), (-1, -1)]:
        curve = sum(
            sign * likelihood((one, by * step), (two, other * step))
            for by, other, sign in [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
        ) / (4 * step * step)
        assert information[one, two] == pytest.approx(-curve, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("score", [2.5, -0.1, float("inf")])
def test_a_score_outside_0_and_1_is_refused(score):
    scores, groups, *_truth = simulated(2, 12, 20)
    scores[3, 4] = score
    with pytest.raises(ValueError, match="not between 0 and 1"):
        fit(scores, groups, 0)


def test_the_steeper_curve_has_the_larger_discrimination():
    theta = np.linspace(-1, 1, 3)
    steep, gentle = probability(theta, np.array([3.0, 0.5]), np.array([0.0, 0.0])).T
    assert steep[2] - steep[0] > gentle[2] - gentle[0]


def test_what_has_no_finite_estimate_gets_a_reason_and_no_number():
    scores, groups, *_truth = simulated(2, 12, 20)
    scores = np.vstack([scores, np.ones(20), np.zeros(20), np.full(20, NONE), np.full(20, NONE)])
    scores[14, 3] = 1.0
    columns = np.full((16, 4), NONE)
    columns[:12, 0], columns[:12, 1], columns[0, 2] = 1.0, 0.0, 1.0
    found = fit(np.hstack([scores, columns]), np.zeros(16, dtype=int), 0)
    assert [row.why for row in found.abilities[12:]] == [
        Reason.ALL_RIGHT,
        Reason.ALL_WRONG,
        Reason.ONE_MEASURED_TASK,
        Reason.NOT_MEASURED,
    ]
    assert [task.why for task in found.tasks[20:]] == [
        Reason.ALL_RIGHT,
        Reason.ALL_WRONG,
        Reason.ONE_MEASURED_VERSION,
        Reason.NOT_MEASURED,
    ]
    for row in found.abilities[12:]:
        assert (row.theta, row.se, row.ci95) == (None, None, None)
    for task in found.tasks[20:]:
        assert (task.a, task.b, task.se_a, task.se_b, task.infit) == (None,) * 5
    assert found.abilities[0].theta is not None


def test_what_shares_no_task_with_the_reference_is_not_on_its_scale():
    one, _groups, *_truth = simulated(2, 10, 20)
    other, _groups, *_truth = simulated(3, 8, 15)
    scores = np.full((18, 35), NONE)
    scores[:10, :20], scores[10:, 20:] = one, other
    found = fit(scores, np.repeat([0, 1], [10, 8]), 0)
    assert {row.why for row in found.abilities[10:]} == {Reason.DISCONNECTED}
    assert {task.why for task in found.tasks[20:]} <= {
        Reason.DISCONNECTED,
        Reason.ALL_RIGHT,
        Reason.ALL_WRONG,
    }
    assert any(row.theta is not None for row in found.abilities[:10])


@pytest.mark.parametrize("scores", [[[1.0, 0.0, 1.0]], [[1.0], [0.0], [1.0]], [[1.0]], [[NONE]]])
def test_one_version_or_one_task_gives_no_index(scores):
    found = fit(np.array(scores), np.zeros(len(scores), dtype=int), 0)
    assert found.log_likelihood is None
    assert all(row.theta is None and row.why for row in found.abilities)
    assert all(task.a is None and task.why for task in found.tasks)


def test_a_task_that_ranks_versions_at_random_fits_badly_and_separates_little():
    scores, groups, *_truth = simulated(4, 100, 40)
    coin = np.random.default_rng(1).integers(0, 2, 100).astype(float)
    found = fit(np.column_stack([scores, coin]), groups, 0)
    assert found.tasks[-1].a < 0.6 * np.median([task.a for task in found.tasks])
    # A task that nearly all solve may be more orderly than the model by chance, but not less.
    assert all(task.infit < 1.6 for task in found.tasks if task.a)


def test_the_same_scores_give_the_same_numbers():
    scores, groups, *_truth = simulated(7, 20, 30, missing=0.5)
    assert repr(fit(scores, groups, 0)) == repr(fit(scores, groups, 0))
