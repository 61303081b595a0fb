"""Counts of one or two people are not published, nor what would tell them."""

import pytest

from rubrics.composition.queries import publishable


@pytest.mark.parametrize(
    ("counts", "published"),
    [
        ([5, 4, 9], [5, 4, 9]),
        ([5, 0, 9], [5, 0, 9]),  # nobody is no person
        ([5, 2, 9], [None, None, 9]),  # alone, the total would tell it
        ([5, 1, 1, 9], [None, None, None, 9]),  # together they are two
        ([5, 2, 2, 9], [5, None, None, 9]),
        ([2], [None]),
        ([], []),
    ],
)
def test_a_hidden_count_cannot_be_worked_out(counts, published):
    assert publishable(counts) == published
