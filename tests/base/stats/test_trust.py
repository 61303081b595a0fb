"""May this judge be trusted: which check fails, by how much, and what would settle it."""

from fractions import Fraction

import pytest

from judge.base.stats.criterion import Cell, criterion
from judge.base.stats.numbers import Reason
from judge.base.stats.preference import Difference, PairCounts, PreferenceReport, summarise
from judge.base.stats.scores import scores
from judge.base.stats.trust import CheckName, Thresholds, assess


def preferences(tasks=30, cdr=0.6, ci95=(0.5, 0.7), strict=300, missing=0):
    counts = PairCounts(agree=strict - missing, missing=missing)
    coverage = Fraction(strict - missing, strict)
    cdr = Fraction(cdr).limit_denominator(1000)
    return PreferenceReport(counts, {}, tasks, cdr, cdr, coverage, ci95, ci95, {})


def cells(*right, of, tasks=10):
    """Per task `of` cells of each class; the tasks take turns in how many are right."""
    return [
        Cell(task, expert, expert if index < right[task % len(right)] else 1 - expert)
        for task in range(tasks)
        for expert in (0, 1)
        for index in range(of)
    ]


GOOD_CELLS = criterion(cells(8, 10, of=10))  # J 0.6 or 1 in a task, 0.8 in all
GOOD_SCORES = scores([(0.2, 0.21), (0.5, 0.5), (0.8, 0.82)])  # bias +1 point


def check(finding, name):
    return next(check for check in finding.checks if check.name == name)


def test_a_judge_that_meets_every_threshold_is_trusted_for_all_three():
    better = Difference(Fraction(1, 10), (0.02, 0.2), 30, {})
    trust = assess(preferences(), GOOD_CELLS, GOOD_SCORES, difference=better)
    assert trust.ranking.answer
    assert trust.better_than_zero_shot.answer
    assert trust.single_answers.answer
    assert trust.ranking.failed == ()
    assert (trust.ranking.more_tasks, trust.ranking.expected) == (None, None)


def test_a_wide_interval_says_how_many_more_tasks_would_settle_it():
    # 0.5 is 0.2 above its lower bound and 0.1 above the threshold: half the width, four times
    # the tasks, 90 more than the 30 there are.
    trust = assess(preferences(cdr=0.5, ci95=(0.3, 0.7)), GOOD_CELLS, GOOD_SCORES)
    failed = trust.ranking.failed
    assert [c.name for c in failed] == [CheckName.CDR_LOWER]
    assert failed[0].shortfall == pytest.approx(0.1)
    assert failed[0].actual == 0.3
    assert (trust.ranking.more_tasks, trust.ranking.expected) == (pytest.approx(90, abs=1), True)


def test_an_estimate_below_the_threshold_settles_towards_no():
    # 0.3 is 0.2 below its upper bound and 0.1 below the threshold: 90 more for a clear no.
    trust = assess(preferences(cdr=0.3, ci95=(0.1, 0.5)), GOOD_CELLS, GOOD_SCORES)
    assert (trust.ranking.more_tasks, trust.ranking.expected) == (pytest.approx(90, abs=1), False)


def test_an_interval_wholly_below_the_threshold_is_settled():
    trust = assess(preferences(cdr=0.1, ci95=(0.0, 0.2)), GOOD_CELLS, GOOD_SCORES)
    assert not trust.ranking.answer
    assert (trust.ranking.more_tasks, trust.ranking.expected) == (0, False)


def test_an_estimate_on_the_threshold_cannot_be_settled():
    trust = assess(preferences(cdr=0.4, ci95=(0.3, 0.5)), GOOD_CELLS, GOOD_SCORES)
    assert (trust.ranking.more_tasks, trust.ranking.expected) == (None, None)


def test_too_few_tasks_and_pairs_are_named_each_with_its_shortfall():
    trust = assess(preferences(tasks=8, strict=24), GOOD_CELLS, GOOD_SCORES)
    tasks, pairs = trust.ranking.failed
    assert (tasks.name, tasks.shortfall, tasks.more_tasks) == (CheckName.TASKS, 12, 12)
    # 76 pairs at 3 per task
    assert (pairs.name, pairs.shortfall, pairs.more_tasks) == (CheckName.STRICT_PAIRS, 76, 26)
    assert (trust.ranking.more_tasks, trust.ranking.expected) == (26, True)


def test_gaps_of_the_judge_are_not_settled_by_tasks():
    trust = assess(preferences(missing=30), GOOD_CELLS, GOOD_SCORES)
    (coverage,) = trust.ranking.failed
    assert coverage.name == CheckName.COVERAGE
    assert coverage.shortfall == pytest.approx(0.08)  # 0.98 - 270/300
    assert (coverage.more_tasks, trust.ranking.more_tasks) == (None, None)


@pytest.mark.parametrize(
    ("difference", "answer", "why"),
    [
        (None, False, Reason.NO_COMPARISON),
        (Difference(Fraction(1, 10), (0.0, 0.2), 30, {}), False, None),
        (Difference(Fraction(1, 10), (0.001, 0.2), 30, {}), True, None),
        (Difference(Fraction(-1, 10), (-0.2, -0.05), 30, {}), False, None),
        (
            Difference(Fraction(1, 10), None, 1, {"ci95": Reason.FEW_TASKS}),
            False,
            Reason.FEW_TASKS,
        ),
    ],
)
def test_better_than_zero_shot_only_if_the_interval_lies_above_zero(difference, answer, why):
    finding = assess(
        preferences(), GOOD_CELLS, GOOD_SCORES, difference=difference
    ).better_than_zero_shot
    assert finding.answer is answer
    assert finding.checks[0].why == why


def test_a_judge_clearly_worse_than_zero_shot_is_settled():
    worse = Difference(Fraction(-1, 10), (-0.2, -0.05), 30, {})
    finding = assess(preferences(), GOOD_CELLS, GOOD_SCORES, difference=worse).better_than_zero_shot
    assert (finding.more_tasks, finding.expected) == (0, False)


def test_single_answers_need_j_and_a_small_bias():
    weak = criterion(cells(6, 8, of=10, tasks=40))  # J 0.2 or 0.6 in a task, 0.4 in all
    kind = scores([(0.2, 0.25), (0.5, 0.55)])  # bias +5 points
    finding = assess(preferences(), weak, kind).single_answers
    j, bias = finding.failed
    assert (j.name, j.actual) == (CheckName.J_LOWER, weak.j_ci95[0])
    assert j.shortfall == pytest.approx(0.6 - j.actual)
    assert (bias.name, bias.actual, bias.shortfall) == (
        CheckName.MEAN_BIAS,
        pytest.approx(5),
        pytest.approx(2),
    )
    assert (finding.more_tasks, finding.expected) == (0, False)


@pytest.mark.parametrize("shift", [0.029, -0.029])
def test_a_bias_within_three_points_either_way_passes(shift):
    report = scores([(0.5, 0.5 + shift), (0.6, 0.6 + shift)])
    assert assess(preferences(), GOOD_CELLS, report).single_answers.answer


def test_nothing_measured_is_three_times_no_with_reasons():
    trust = assess(summarise({}), criterion([]), scores([]))
    assert not trust.ranking.answer
    assert not trust.single_answers.answer
    assert check(trust.ranking, CheckName.CDR_LOWER).why == Reason.NO_PAIRS
    assert check(trust.ranking, CheckName.COVERAGE).why == Reason.NO_PAIRS
    assert check(trust.single_answers, CheckName.J_LOWER).why == Reason.NO_CELLS
    assert check(trust.single_answers, CheckName.MEAN_BIAS).why == Reason.NO_SCORES
    # Where to begin is known all the same: twenty tasks.
    assert (trust.ranking.more_tasks, trust.ranking.expected) == (20, True)


def test_a_judge_who_only_agrees_with_one_class_is_not_trusted_for_single_answers():
    one_class = criterion([Cell(n, 1, 1) for n in range(50)])
    finding = assess(preferences(), one_class, GOOD_SCORES).single_answers
    assert not finding.answer
    assert finding.failed[0].why == Reason.ONE_CLASS


def test_staff_can_change_the_thresholds():
    strict = Thresholds(cdr_lower=0.55)
    trust = assess(preferences(), GOOD_CELLS, GOOD_SCORES, thresholds=strict)
    assert not trust.ranking.answer
    assert trust.thresholds is strict
    assert trust.ranking.failed[0].required == 0.55


def test_real_reports_fit_together():
    report = summarise({n: PairCounts(agree=9 - n % 3, reversed=1 + n % 3) for n in range(24)})
    trust = assess(report, GOOD_CELLS, GOOD_SCORES)
    assert trust.ranking.answer  # CDR about 0.6, 240 pairs, narrow
    assert check(trust.ranking, CheckName.CDR_LOWER).actual == report.ci95[0]
