"""The share of models that are right: hand-worked, with the limits of seed's quality control."""

from fractions import Fraction

import pytest

from judge.base.stats.model_shares import Answer, Finding, Limits, histogram, mean_of, share_of

LIMITS = Limits()


def answers(right: int, wrong: int, said: str = "") -> list[Answer]:
    """So many models that are right, and so many that are not and say this."""
    return [
        *(Answer(f"r{n}", True, "12") for n in range(right)),
        *(Answer(f"w{n}", False, said or f"x{n}") for n in range(wrong)),
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "said", "finding"),
    [
        (5, 0, "", Finding.EASY),
        (9, 1, "", Finding.EASY),
        (8, 2, "", Finding.FAIR),  # 80 % exactly is not above 80 %
        (1, 9, "", Finding.FAIR),  # 10 % exactly is not below 10 %
        (1, 10, "", Finding.FEW_RIGHT),
        (0, 5, "", Finding.FEW_RIGHT),
        (4, 5, "13", Finding.OTHER_ANSWER),
        (5, 5, "13", Finding.FAIR),  # half is not most
        (0, 5, "13", Finding.OTHER_ANSWER),
        (2, 2, "", Finding.UNKNOWN),  # four models are too few
        (0, 0, "", Finding.UNKNOWN),
    ],
)
def test_findings_at_and_around_the_limits(right, wrong, said, finding):
    assert share_of(answers(right, wrong, said), LIMITS).finding is finding


def test_a_model_with_several_answers_counts_once():
    said = [
        *(Answer("birch", right, "13") for right in (True, False, False, False)),
        Answer("cedar", True),
    ]
    found = share_of(said, Limits(models=2))
    assert found.models == 2
    assert found.right == Fraction(1, 4) / 2 + Fraction(1, 2)
    assert (found.other, found.other_share) == ("13", Fraction(3, 8))


def test_the_order_of_answers_and_answers_without_words_make_no_difference():
    said = [Answer("a", False, "13"), Answer("b", False, "14"), Answer("c", False, "")]
    found = share_of(said, LIMITS)
    assert found == share_of(said[::-1], LIMITS)
    assert (found.other, found.other_share) == ("13", Fraction(1, 3))


def test_no_answer_is_no_share_and_never_a_zero():
    found = share_of([], LIMITS)
    assert found.right is None
    assert mean_of([]) is None
    assert mean_of([Fraction(1, 2), Fraction(1)]) == Fraction(3, 4)


def test_a_share_on_a_border_is_in_the_bin_above_and_all_right_in_the_last():
    shares = [Fraction(0), Fraction(1, 10), Fraction(99, 1000), Fraction(9, 10), Fraction(1)]
    assert histogram(shares) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert histogram([]) == [0] * 10
