"""Marking is exact, and forgiving only about how a number is typed."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.qualifying.exams.grading import (
    is_answered,
    is_right,
    key_fits,
    passes,
    points_of,
    read_number,
    to_study,
)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("1250", "1250"),
        ("1,250", "1250"),
        ("1,250,000", "1250000"),
        ("12,5", "12.5"),
        ("0,125", "0.125"),
        ("-0,125", "-0.125"),
        ("1.250,50", "1250.50"),
        ("1,250.50", "1250.50"),
        ("1 250,5", "1250.5"),
        ("1'250.5", "1250.5"),
        ("−4.94", "-4.94"),
        ("–4.94", "-4.94"),
        ("45 %", "45"),
        ("€ 3.1", "3.1"),
        ("-€3.1", "-3.1"),
        ("１２．５％", "12.5"),
        ("1.24 x", "1.24"),
        (1.5, "1.5"),
    ],
)
def test_a_number_is_read_as_people_type_it(typed: object, value: str) -> None:
    assert read_number(typed, "x") == Decimal(value)


@pytest.mark.parametrize("typed", ["", " ", "about one", "1/2", "NaN", "Infinity", None, True, []])
def test_what_is_no_number_is_not_read_as_one(typed: object) -> None:
    assert read_number(typed) is None


@given(st.decimals(-(10**6), 10**6, places=3))
def test_every_decimal_is_read_as_itself(value: Decimal) -> None:
    assert read_number(f"{value}") == value


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(typed: str) -> None:
    value = read_number(typed, "EUR")
    assert value is None or value.is_finite()


def test_a_number_within_the_tolerance_is_right_and_just_outside_it_is_not() -> None:
    key = {"value": "1.24", "tolerance": "0.01"}
    assert is_right("numeric", key, "1.25")
    assert is_right("numeric", key, "1,23")
    assert not is_right("numeric", key, "1.2501")


def test_a_multiple_choice_needs_exactly_the_right_set() -> None:
    assert is_right("multiple", [0, 3], [3, 0])
    assert not is_right("multiple", [0, 3], [0])
    assert not is_right("multiple", [0, 3], [0, 1, 3])
    assert not is_right("multiple", [0, 3], None)


def test_an_order_is_right_only_in_every_place() -> None:
    assert is_right("ordering", [2, 0, 1], [2, 0, 1])
    assert not is_right("ordering", [2, 0, 1], [0, 1, 2])
    assert not is_right("ordering", [2, 0, 1], [2, 0, None])
    assert not is_answered("ordering", [2, 0, None])
    assert is_answered("ordering", [0, 1, 2])


def question(**fields: object) -> SimpleNamespace:
    usual = {"kind": "single", "unit": "", "points": 1, "topic": "Leases", "study": "Read."}
    return SimpleNamespace(**(usual | fields))


def test_a_short_text_waits_for_a_senior_unless_it_is_empty() -> None:
    short = question(kind="short", key={"guide": "x"}, points=3)
    assert points_of(short, "A sentence.") is None
    assert points_of(short, " \u200b\n") == 0
    assert points_of(short, None) == 0
    assert points_of(question(key=[1], points=2), [1]) == 2
    assert points_of(question(key=[1], points=2), [0]) == 0


def test_the_pass_mark_is_compared_exactly() -> None:
    assert passes(7, 10, 70)
    assert not passes(7, 10, 71)  # 7 of 10 is 70 %, not 71
    assert not passes(0, 0, 1)


def test_what_to_study_is_named_once_and_holds_no_key() -> None:
    rows = [SimpleNamespace(points=n, question=question(key=[0])) for n in (0, 0, 1)]
    assert to_study(rows) == [{"topic": "Leases", "study": "Read."}]
    assert to_study(rows[2:]) == []


@pytest.mark.parametrize(
    ("kind", "options", "key", "fits"),
    [
        ("single", ["a", "b"], [1], True),
        ("single", ["a", "b"], [0, 1], False),
        ("single", ["a", "b"], [2], False),
        ("single", ["a", "b"], [True], False),
        ("single", ["a", "b"], 1, False),
        ("multiple", ["a", "b"], [0, 1], True),
        ("multiple", ["a", "b"], [0, 0], False),
        ("multiple", ["a", "b"], [], False),
        ("multiple", "ab", [0], False),
        ("numeric", [], {"value": "1.2", "tolerance": "0.1"}, True),
        ("numeric", [], {"value": 3}, True),
        ("numeric", [], {"value": "x"}, False),
        ("numeric", [], {"value": "1", "tolerance": "-1"}, False),
        ("numeric", [], {"value": "1", "tolerance": "x"}, False),
        ("numeric", [], [0], False),
        ("ordering", ["a", "b", "c"], [2, 0, 1], True),
        ("ordering", ["a", "b", "c"], [2, 0], False),
        ("ordering", ["a", "b", "c"], [0, 0, 1], False),
        ("short", [], {"guide": "One point for each."}, True),
        ("short", [], {"guide": " "}, False),
        ("short", [], {"guide": "x", "value": "1"}, False),
        ("short", [], [0], False),
    ],
)
def test_only_a_key_that_can_mark_its_question_fits(
    kind: str, options: object, key: object, fits: bool
) -> None:
    assert key_fits(kind, options, key) is fits
