"""Every figure that a well-kept library or a publication has too is the same as theirs."""

import gc
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from judge.base.stats import bootstrap, tests
from judge.base.stats.agreement import agreement
from judge.base.stats.criterion import Cell, criterion
from judge.base.stats.leaderboard import leaderboard
from judge.base.stats.preference import count_pairs
from judge.base.stats.proportions import wilson
from judge.base.stats.tests import benjamini_hochberg, holm

full_cells = st.lists(
    st.builds(
        Cell, st.integers(0, 9), st.integers(0, 1), st.integers(0, 1), st.integers(1, 10)
    ),
    min_size=1,
    max_size=40,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(full_cells)
def test_j_is_the_adjusted_balanced_accuracy_of_scikit_learn(rows):
    report = criterion(rows, resamples=0)
    experts, judges = [row.expert for row in rows], [row.judge for row in rows]
    if len(set(experts)) == 1:
        assert report.j is None
        return
    expected = balanced_accuracy_score(experts, judges, adjusted=True)
    assert float(report.j) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(full_cells)
def test_cdr_of_lines_is_accuracy_stretched_to_minus_one_and_one(rows):
    report = criterion(rows, resamples=0)
    experts, judges = [row.expert for row in rows], [row.judge for row in rows]
    plain = accuracy_score(experts, judges)
    weighted = accuracy_score(experts, judges, sample_weight=[row.weight for row in rows])
    assert float(report.cdr) == pytest.approx(2 * plain - 1, abs=1e-12)
    assert float(report.cdr_weighted) == pytest.approx(2 * weighted - 1, abs=1e-12)
    assert float(report.base_rate) == pytest.approx(np.mean(experts), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=14))
def test_cdr_of_one_task_is_the_somers_d_of_scipy(rows):
    # Agree minus reversed over the pairs the experts do not tie: D of the judge given the experts.
    cdr = count_pairs(rows).cdr
    experts, judges = zip(*rows, strict=True)
    if len(set(experts)) == 1:
        assert cdr is None
    elif len(set(judges)) == 1:
        assert cdr == 0  # scipy has no table of one column
    else:
        assert float(cdr) == pytest.approx(scipy.stats.somersd(experts, judges).statistic)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda raters: st.lists(
            st.lists(st.integers(0, 2), min_size=raters, max_size=raters), min_size=2, max_size=20
        )
    )
)
def test_alpha_without_gaps_is_the_fleiss_kappa_of_statsmodels_corrected_for_size(rows):
    report = agreement(dict(enumerate(row)) for row in rows)
    if len({label for row in rows for label in row}) == 1:
        assert report.alpha is None
        return
    counts, _labels = aggregate_raters(np.array(rows))
    fleiss = fleiss_kappa(counts)
    values = len(rows) * len(rows[0])
    # Alpha's chance draws without replacement: K. Krippendorff, Content Analysis (2013), 12.2.
    assert float(report.alpha) == pytest.approx(fleiss + (1 - fleiss) / values, abs=1e-12)


def units_of(*raters):
    """Units from one text per rater; a dot is a gap."""
    return [
        {n: None if label == "." else label for n, label in enumerate(column)}
        for column in zip(*raters, strict=True)
    ]


@pytest.mark.parametrize(
    ("raters", "alpha"),
    [
        # K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): A, binary data of two
        # observers; B, nominal data of two; C, nominal data of four with gaps.
        (("0100000010", "1110010000"), 0.095),
        (("aabbdcccedda", "babbbccceddd"), 0.692),
        (("123321412...", "1233224125.3", ".3332342251.", "12332441251."), 0.743),
        # The computational example of the encyclopaedias' article on alpha: three coders, 15
        # units, some without a pair; nominal 0.691, interval 0.811.
        ((".....34121133.3", "1.213343.......", "..21344.21133.4"), 0.691),
    ],
)
def test_alpha_of_the_published_worked_examples(raters, alpha):
    assert round(float(agreement(units_of(*raters)).alpha), 3) == alpha


def test_agreement_of_the_published_table_of_three_classes():
    # K. L. Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014): two abstractors sort 100
    # patients; the figures as its author's own package irrCAC prints them (cont3x3abstractors).
    table = ((13, 0, 0), (0, 20, 7), (0, 4, 56))
    report = agreement(
        {"one": a, "two": b}
        for a, row in enumerate(table)
        for b, times in enumerate(row)
        for _n in range(times)
    )
    assert report.percent == Fraction(89, 100)
    assert round(float(report.kappa), 7) == 0.7964094
    assert round(float(report.alpha), 7) == 0.7972585


def test_ac1_and_kappa_of_the_published_worked_example():
    # K. L. Gwet, Inter-Rater Reliability: Dependency on Trait Prevalence (2002): 118, 5, 2 and 0
    # of 125 subjects. Nearly everything agrees, and kappa falls below 0. The same table stands in
    # R. van Oest, A new coefficient of interrater agreement (2019), table 4.
    table = {(1, 1): 118, (1, 0): 5, (0, 1): 2, (0, 0): 0}
    cells = [Cell("t", e, j) for (e, j), times in table.items() for _n in range(times)]
    report = criterion(cells, resamples=0)
    assert round(float(report.ac1), 4) == 0.9408
    assert round(float(report.kappa), 4) == -0.0234


@pytest.mark.parametrize("seed", range(4))
def test_plain_percentiles_are_those_of_the_bootstrap_of_scipy(seed):
    random = np.random.default_rng(seed)
    tasks = 25 + 15 * seed
    below = random.integers(1, 15, size=tasks).astype(float)
    above = np.round(below * random.uniform(-1, 1, size=tasks))

    def share(above, below, axis=-1):
        return above.sum(axis=axis) / below.sum(axis=axis)

    theirs = scipy.stats.bootstrap(
        (above, below), share, paired=True, vectorized=True, method="percentile",
        n_resamples=20_000, rng=random,
    ).confidence_interval  # fmt: skip
    sums = bootstrap.resampled_rows(np.stack([above, below], axis=1), seed=seed, resamples=20_000)
    low, high = bootstrap.percentile_interval(sums[:, 0] / sums[:, 1])
    slack = 0.03 * (high - low)  # of 20,000 draws against other 20,000
    assert low == pytest.approx(theirs.low, abs=slack)
    assert high == pytest.approx(theirs.high, abs=slack)


@pytest.mark.parametrize("tasks", [4, 7, 12, 60])
def test_no_comparison_claims_more_than_the_paired_t_test_of_scipy(tasks):
    random = np.random.default_rng(tasks)
    for _board in range(10):
        first, second = random.normal(0.5, 0.1, tasks), random.normal(0.4, 0.1, tasks)
        results = {"a": dict(enumerate(first.tolist())), "b": dict(enumerate(second.tolist()))}
        (comparison,) = leaderboard(results, resamples=2000).comparisons
        expected = scipy.stats.ttest_rel(first, second).pvalue
        assert comparison.p_value >= expected * (1 - 1e-9) - 1e-12
        # and hardly less, where neither the resamples nor the signs set the limit
        if expected > 0.02 and tasks > 10:
            assert comparison.p_value <= 1.6 * expected + 0.02


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 1999), st.floats(0.05, 0.9999))
def test_quantiles_of_t_are_those_of_scipy(freedom, level):
    expected = scipy.stats.t.ppf((1 + level) / 2, freedom)
    assert tests.quantile(level, freedom) == pytest.approx(expected, rel=1e-9)


def test_t_without_freedom_and_an_interval_of_one_task_are_refused():
    with pytest.raises(ValueError, match="degree of freedom"):
        tests.central_probability(1.0, 0)
    with pytest.raises(ValueError, match="two tasks"):
        tests.tail(0.95, 1)
    assert tests.tail(0.95, 100_000) == pytest.approx(0.025, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_share_is_that_of_statsmodels(count):
    assert wilson(*count) == pytest.approx(proportion_confint(*count, method="wilson"), abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_is_that_of_statsmodels(p_values):
    # The library clears all garbage of the process on every call; that would be all of the cost.
    with patch.object(gc, "collect"):
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(expected.tolist(), abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_is_that_of_statsmodels(p_values):
    with patch.object(gc, "collect"):
        expected = multipletests(p_values, method="fdr_bh")[1]
    assert benjamini_hochberg(p_values) == pytest.approx(expected.tolist(), abs=1e-12)
