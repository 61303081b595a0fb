"""Comparing short answers: what is written differently and says the same, and what does not."""

from decimal import Decimal

import pytest

from curation.text.short_answers import (
    Expected,
    is_one_number,
    last_line,
    matches,
    number_in,
    occurs_in,
    one_spelling,
    plain,
)

PREFECTURES = Expected("12", is_number=True, unit="个")
YEARS = Expected("4.5", is_number=True, unit="年", tolerance=Decimal("0.1"))
SHARE = Expected("82", is_number=True, tolerance=Decimal(10), tolerance_is_percent=True)
HANDS = Expected("Hamburger hands", alternatives=("La La Hand",))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("12", PREFECTURES),
        ("12 个", PREFECTURES),
        ("１２个。", PREFECTURES),
        ("**12**", PREFECTURES),
        ("Answer: 12", PREFECTURES),
        ("答案：12 个", PREFECTURES),
        ("12.0", PREFECTURES),
        ("4.6 年", YEARS),
        ("4.4", YEARS),
        ("90.2", SHARE),
        ("hamburger hands", HANDS),
        ("“Hamburger  Hands”.", HANDS),
        ("la la hand", HANDS),
        ("1,234,567", Expected("1234567", is_number=True)),
        ("1 234 567", Expected("1234567", is_number=True)),
        ("−3", Expected("-3", is_number=True)),
        ("《恋爱的犀牛》", Expected("恋爱的犀牛")),
    ],
)
def test_these_say_the_same(given, expected):
    assert matches(given, expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("13", PREFECTURES),
        ("", PREFECTURES),
        ("12 or 13", PREFECTURES),
        ("12 countries", PREFECTURES),
        ("4.61", YEARS),
        ("90.3", SHARE),
        ("hands", HANDS),
        ("", Expected("")),
        ("...", Expected("...")),
        ("1.234", Expected("1234", is_number=True)),
    ],
)
def test_these_do_not(given, expected):
    assert not matches(given, expected)


def test_a_tolerance_includes_its_ends_without_rounding():
    third = Expected("0.3", is_number=True, tolerance=Decimal("0.1"))
    assert matches("0.4", third)
    assert matches("0.2", third)
    assert not matches("0.4000001", third)


def test_one_number_is_digits_only():
    assert all(map(is_one_number, ("12", "-4.5", "1,234", "１２", "3e8")))
    assert not any(map(is_one_number, ("12 km", "twelve", "", "1 2", "12-13", "NaN", "1e")))


def test_a_number_is_found_beside_its_unit_only():
    assert number_in("about 12", "km") is None
    assert number_in("12 km", "km") == 12
    assert number_in("$12", "$") == 12
    assert number_in("9" * 5000) is not None  # one long number, read in one pass


def test_an_answer_is_found_in_a_text_as_a_whole_only():
    assert occurs_in("Dandong", ["A town called “dandong”."])
    assert occurs_in("8", ["It has 8, they say."])
    assert not occurs_in("8", ["In 1986 it had 8.5."])
    assert occurs_in("丹东", ["辽宁的丹东市"])
    assert not occurs_in("", ["anything"])


def test_equal_wrong_answers_have_one_spelling():
    spellings = {one_spelling(said, PREFECTURES) for said in ("84 个", "84.0", "８４", "**84**")}
    assert spellings == {"84"}
    assert one_spelling("La-La", HANDS) == "la-la"


def test_the_last_line_with_words_is_read():
    assert last_line("I think.\n\n**Answer: 12**\n\n---\n") != ""
    assert last_line("First\nSecond.\n \n") == "second"
    assert last_line("") == ""
    assert plain("Final answer: “Yes”") == "yes"
