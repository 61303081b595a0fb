"""The score of a response: exact over complete sheets, absent over incomplete ones."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrics.policy.weights import Line, mean, score, score_by_dimension, score_by_importance

LINES = [
    Line(9, "essential", "accuracy", "met"),
    Line(5, "important", "accuracy", "unmet"),
    Line(4, "important", "structure", "met"),
    Line(2, "optional", "safety", "unmet"),
]


def test_score_is_met_weight_over_all_weight_in_exact_integers():
    result = score(LINES)
    assert (result.numerator, result.denominator) == (13, 20)  # 9 + 4 of 9 + 5 + 4 + 2
    assert result.fraction == Fraction(13, 20)
    assert result.percent == 65.0
    assert (result.coverage, result.complete, result.why) == (1, True, None)


@pytest.mark.parametrize("state", ["abstained", "failed", None])
def test_one_line_without_a_verdict_leaves_no_score_but_a_coverage(state):
    result = score([*LINES, Line(10, "essential", "depth", state)])
    assert (result.numerator, result.fraction, result.percent) == (None, None, None)
    assert result.why == "incomplete"
    assert result.coverage == Fraction(4, 5)
    assert result.denominator == 30
    assert result.abstained + result.failed + result.pending == 1


def test_scores_by_dimension_stand_where_their_own_lines_are_complete():
    by = score_by_dimension([*LINES, Line(1, "optional", "safety", "abstained")])
    assert list(by) == ["accuracy", "safety", "structure"]
    assert by["accuracy"].fraction == Fraction(9, 14)  # 9 of 9 + 5
    assert by["structure"].fraction == 1
    assert by["safety"].fraction is None


def test_scores_by_importance_come_in_order_of_importance():
    by = score_by_importance(reversed(LINES))
    assert {name: s.fraction for name, s in by.items()} == {
        "essential": 1,  # 9 of 9
        "important": Fraction(4, 9),  # 4 of 5 + 4
        "optional": 0,  # 0 of 2
    }
    assert list(by) == ["essential", "important", "optional"]


def test_no_lines_and_no_weight_are_no_score():
    assert (score([]).fraction, score([]).coverage, score([]).why) == (None, None, "no lines")
    weightless = score([Line(0, "optional", "other", "met")])
    assert (weightless.fraction, weightless.why) == (None, "no weight")


@pytest.mark.parametrize(("state", "expected"), [("met", 1), ("unmet", 0)])
def test_all_true_and_all_false_are_one_and_zero(state, expected):
    assert score(line._replace(state=state) for line in LINES).fraction == expected


@pytest.mark.parametrize("weight", [-1, 1.5, float("nan"), True, "3", None])
def test_a_weight_that_is_not_a_whole_number_is_refused(weight):
    with pytest.raises(ValueError, match="weight"):
        score([Line(weight, "essential", "accuracy", "met")])


def test_an_unknown_state_is_refused():
    with pytest.raises(ValueError, match="state"):
        score([Line(1, "essential", "accuracy", "TRUE")])


def test_mean_of_several_sheets_leaves_incomplete_ones_out():
    half = score([Line(1, "x", "d", "met"), Line(1, "x", "d", "unmet")])
    third = score([Line(1, "x", "d", "met"), Line(2, "x", "d", "unmet")])
    open_sheet = score([Line(1, "x", "d", None)])
    assert mean([half, third, open_sheet]) == Fraction(5, 12)  # (1/2 + 1/3) / 2
    assert mean([open_sheet]) is None
    assert mean([]) is None


lines = st.lists(
    st.builds(
        Line,
        st.integers(1, 10),
        st.sampled_from(["essential", "important", "optional"]),
        st.sampled_from(["accuracy", "depth"]),
        st.sampled_from(["met", "unmet", "abstained", "failed", None]),
    )
)


@given(lines, st.randoms())
def test_the_order_of_lines_changes_nothing(sheet, random):
    shuffled = random.sample(sheet, len(sheet))
    assert score(shuffled) == score(sheet)
    assert score_by_dimension(shuffled) == score_by_dimension(sheet)


@given(lines)
def test_groups_add_up_to_the_whole(sheet):
    whole, groups = score(sheet), score_by_importance(sheet).values()
    assert whole.denominator == sum(group.denominator for group in groups)
    assert whole.judged == sum(group.judged for group in groups)
    if whole.numerator is not None:
        assert whole.numerator == sum(group.numerator for group in groups)
