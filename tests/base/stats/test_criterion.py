"""CDR over criteria and its companions, by hand and against scikit-learn."""

import math
import warnings
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score

from judge.base.stats.criterion import Cell, criterion
from judge.base.stats.numbers import Reason


def cells(experts, judges, **kwargs):
    marks = {"0": 0, "1": 1, "-": None}
    return [
        Cell(f"t{index % 3}", int(expert), marks[judge], **kwargs)
        for index, (expert, judge) in enumerate(zip(experts, judges, strict=True))
    ]


VECTORS = [
    # experts, judge ("-" abstained), CDR, J, kappa, AC1, macro-F1
    ("1010", "0101", Fraction(-1), Fraction(-1), Fraction(-1), Fraction(-1), Fraction(0)),
    # CDR (9-1)/10; J 9/9 - 1/1; kappa (9/10 - 9/10) / (1/10);
    # AC1: pi 19/20, chance 2*19/20*1/20 = 19/200, (180/200 - 19/200) / (181/200); F1 (18/19 + 0)/2
    (
        "1111111110",
        "1111111111",
        Fraction(4, 5),
        Fraction(0),
        Fraction(0),
        Fraction(161, 181),
        Fraction(9, 19),
    ),
    # CDR (8-2)/10; J 5/6 - 1/4; kappa (80 - 52)/48; AC1 (80 - 48)/52; F1 (10/12 + 6/8)/2
    (
        "1111110000",
        "1111101000",
        Fraction(3, 5),
        Fraction(7, 12),
        Fraction(7, 12),
        Fraction(8, 13),
        Fraction(19, 24),
    ),
    # CDR (1+0+1+0-1)/5; on the three judged: J 1/2 - 0; kappa (6 - 4)/5; AC1 (2/3 - 1/2)/(1/2)
    (
        "11001",
        "1-0-0",
        Fraction(1, 5),
        Fraction(1, 2),
        Fraction(2, 5),
        Fraction(1, 3),
        Fraction(2, 3),
    ),
    # CDR (2-1)/3; J one class; kappa (2/3 - 2/3)/(1/3); AC1: pi 1/6, (12 - 5)/13; F1 (0 + 4/5)/2
    ("000", "010", Fraction(1, 3), None, Fraction(0), Fraction(7, 13), Fraction(2, 5)),
]


@pytest.mark.parametrize(("experts", "judge", "cdr", "j", "kappa", "ac1", "macro_f1"), VECTORS)
def test_hand_computed_statistics(experts, judge, cdr, j, kappa, ac1, macro_f1):
    report = criterion(cells(experts, judge))
    assert (report.cdr, report.j, report.kappa) == (cdr, j, kappa)
    assert (report.ac1, report.macro_f1) == (ac1, macro_f1)
    assert report.cdr_weighted == cdr  # equal weights


def test_abstentions_lower_the_coverage_and_count_nothing():
    report = criterion(cells("11001", "1-0-0"))
    assert report.coverage == Fraction(3, 5)
    assert report.base_rate == Fraction(3, 5)  # of all cells, also those not judged
    assert (report.confusion.met_missing, report.confusion.unmet_missing) == (1, 1)


def test_one_class_of_experts_leaves_j_undefined_with_the_reason():
    report = criterion(cells("000", "010"))
    assert report.why == {"j": Reason.ONE_CLASS, "j_ci95": Reason.ONE_CLASS}


@pytest.mark.parametrize("mark", ["1", "0"])
def test_all_true_or_all_false_on_both_sides(mark):
    report = criterion(cells(mark * 6, mark * 6))
    assert (report.cdr, report.ac1, report.base_rate) == (1, 1, int(mark))
    assert (report.j, report.kappa, report.macro_f1, report.j_ci95) == (None,) * 4
    assert {report.why[name] for name in ("j", "kappa", "macro_f1")} == {Reason.ONE_CLASS}


def test_no_cells_is_undefined_and_nothing_judged_is_a_cdr_of_zero():
    empty = criterion([])
    assert empty.cells == 0
    assert set(empty.why.values()) == {Reason.NO_CELLS}
    assert empty.as_dict()["cdr"] is None
    silent = criterion(cells("110", "---"))
    assert (silent.cdr, silent.coverage, silent.base_rate) == (0, 0, Fraction(2, 3))
    assert (silent.j, silent.kappa, silent.ac1, silent.macro_f1) == (None,) * 4
    assert silent.why["ac1"] == Reason.NONE_JUDGED


def test_single_cell():
    report = criterion(cells("1", "1"))
    assert (report.cdr, report.cells, report.tasks) == (1, 1, 1)


def test_weights_count_in_the_weighted_cdr_only():
    rows = [Cell("a", 1, 1, 10), Cell("a", 1, 0, 5), Cell("b", 0, None, 4), Cell("b", 0, 0, 1)]
    report = criterion(rows)
    assert report.cdr == Fraction(1, 4)  # (1 - 1 + 0 + 1) / 4
    assert report.cdr_weighted == Fraction(6, 20)  # (10 - 5 + 0 + 1) / (10 + 5 + 4 + 1)
    assert report.j == Fraction(1, 2)  # 1/2 - 0/1


def test_zero_weights_leave_the_weighted_cdr_undefined():
    report = criterion(cells("10", "10", weight=0))
    assert report.cdr == 1
    assert report.cdr_weighted is None
    assert report.why["cdr_weighted"] == Reason.NO_WEIGHT


def test_too_kind_and_too_strict_are_told_apart():
    report = criterion(cells("1100011", "0110010"))
    assert report.confusion.too_strict == 2
    assert report.confusion.too_kind == 1
    assert report.as_dict()["too_kind"] == 1


def test_constant_judges_are_unmasked_by_j():
    experts = "1" * 9 + "0"
    assert criterion(cells(experts, "1" * 10)).j == 0
    assert criterion(cells(experts, "0" * 10)).j == 0
    assert criterion(cells(experts, "0" * 10)).cdr == Fraction(-4, 5)  # (1 - 9) / 10


def test_interval_of_j_contains_it_and_needs_six_tasks():
    marks = cells("1111110000" * 3, "1111101000" * 3)
    report = criterion([c._replace(task=n % 7) for n, c in enumerate(marks)], seed=3)
    low, high = report.j_ci95
    assert low < float(report.j) < high
    few = criterion([c._replace(task=n % 5) for n, c in enumerate(marks)])
    assert few.j == report.j
    assert few.j_ci95 is None
    assert few.why["j_ci95"] == Reason.FEW_TASKS


@pytest.mark.parametrize(
    "cell",
    [
        Cell("t", 2, 1),
        Cell("t", None, 1),
        Cell("t", 1, -1),
        Cell("t", 1, 2),
        Cell("t", 1, "met"),
        Cell("t", 1, float("nan")),
        Cell("t", 1, 1, -1),
        Cell("t", 1, 1, 1.5),
        Cell("t", 1, 1, True),
    ],
)
def test_cells_out_of_range_are_refused(cell):
    with pytest.raises(ValueError, match="is 0|whole number"):
        criterion([cell])


def test_report_has_the_names_of_the_command():
    report = criterion(cells("1100", "10-0")).as_dict()
    contract = "cdr cdr_weighted j kappa ac1 macro_f1 base_rate coverage cells"
    assert set(contract.split()) <= set(report)


random_cells = st.lists(
    st.builds(
        Cell,
        st.integers(0, 12),
        st.integers(0, 1),
        st.sampled_from([0, 1, None]),
        st.integers(1, 10),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(random_cells)
def test_kappa_and_macro_f1_are_those_of_scikit_learn(rows):
    report = criterion(rows, resamples=0)
    judged = [(cell.expert, cell.judge) for cell in rows if cell.judge is not None]
    if not judged:
        return
    experts, judges = zip(*judged, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kappa = cohen_kappa_score(experts, judges, labels=[0, 1])
        macro_f1 = f1_score(experts, judges, average="macro")
    if report.kappa is None:
        assert math.isnan(kappa)
    else:
        assert float(report.kappa) == pytest.approx(kappa, abs=1e-12)
    if report.macro_f1 is not None:
        assert float(report.macro_f1) == pytest.approx(macro_f1, abs=1e-12)
    else:
        assert len({*experts, *judges}) == 1


@settings(max_examples=60, deadline=None)
@given(random_cells, st.randoms())
def test_the_order_of_cells_changes_nothing(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert criterion(rows, resamples=200) == criterion(shuffled, resamples=200)
