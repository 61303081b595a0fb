"""Short answers: what certainly says the same, what certainly does not, and what is asked."""

import csv

import pytest

from benchmarks.exact_answers import PAIRS, measure, read_pairs
from curation.base.text.chinese_numerals import whole_number
from curation.base.text.quantities import is_in_digits, number_with, quantity
from curation.base.text.short_answers import (
    Comparison,
    Expected,
    compare,
    last_line,
    occurs_in,
    one_spelling,
    says_something,
)
from tests.growth import too_slow

PREFECTURES = Expected("12", is_number=True, unit="个")
HANDS = Expected("Hamburger hands", alternatives=("La La Hand",))


def test_every_pair_of_the_table_is_decided_as_written():
    counts, odd = measure()
    assert odd == []
    assert counts["pairs"] >= 300


def test_the_table_says_each_pair_once_and_in_known_words():
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert {row["kind"] for row in rows} == {"words", "number"}
    assert {row["verdict"] for row in rows} == set(Comparison)
    pairs = [(pair.right, pair.response) for pair in read_pairs()]
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize("expected", [PREFECTURES, HANDS, Expected("12 个")])
@pytest.mark.parametrize(
    "pattern", ["1", "1,", "1,000", "一", "$", "**", "“", "\\\\text{", ". ", "a-"]
)
def test_an_endless_answer_is_asked_about_in_linear_time(expected, pattern):
    assert compare(pattern * 1000, expected) is Comparison.ASK
    assert not too_slow(lambda text: compare(text, expected), pattern)
    assert not too_slow(lambda text: one_spelling(text, expected), pattern)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("零", 0),
        ("十", 10),
        ("二十一", 21),
        ("一百一十二", 112),
        ("一千零十五", 1015),
        ("九千九百九十九", 9999),
        ("一万零五", 10005),
        ("十亿零五", 1_000_000_005),
        ("一万亿", 10**12),
        ("壹佰贰拾叁", 123),
        ("一九四九", 1949),
    ],
)
def test_chinese_numerals_are_read_in_whole(text, number):
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "百", "万", "三四", "十几", "一百二", "一万二", "一万五百", "十零", "两两", "一" * 50],
)
def test_chinese_numerals_that_are_loose_are_no_number(text):
    assert whole_number(text) is None


def test_one_number_is_digits_only():
    assert all(map(is_in_digits, ("12", "-4.5", "1,234", "１２", "3e8")))
    assert not any(
        map(is_in_digits, ("12 km", "twelve", "", "1 2", "12-13", "NaN", "1e", "十二", "9" * 5000))
    )


def test_a_number_is_found_beside_its_unit_only():
    assert number_with("about 12", "km") is None
    assert number_with("12 km", "km").value == 12
    assert number_with("$12", "$").value == 12
    assert number_with("5 kW", "W") is None
    assert quantity("12 km").unit == quantity("十二公里").unit == "km"
    assert quantity("1.5 million people").value == 1_500_000


def test_an_answer_is_found_in_a_text_as_a_whole_only():
    assert occurs_in("Dandong", ["A town called “dandong”."])
    assert occurs_in("8", ["It has 8, they say."])
    assert not occurs_in("8", ["In 1986 it had 8.5."])
    assert occurs_in("丹东", ["辽宁的丹东市"])
    assert not occurs_in("C#", ["Written in C"])
    assert not occurs_in("", ["anything"])


def test_equal_wrong_answers_have_one_spelling():
    spellings = {one_spelling(said, PREFECTURES) for said in ("84 个", "84.0", "８４", "**84**")}
    assert spellings == {"84"}
    assert one_spelling("La-La", HANDS) == "la-la"
    assert one_spelling("C#", HANDS) != one_spelling("C", HANDS)


def test_the_last_line_that_says_something_is_read():
    assert last_line("I think.\n\n**Answer: 12**\n\n---\n") == "12"
    assert last_line("First\nSecond.\n \n") == "Second"
    assert last_line("") == ""


def test_a_text_of_punctuation_says_nothing():
    assert not any(map(says_something, ("", "...", "***", "---", "“”", "~~~")))
    assert all(map(says_something, ("0", "x", "是", "∞", "C#")))
