"""Likeness of tasks, in any language."""

import pytest

from judge.duplicates import jaccard, nearest, shingles

ENGLISH = "Prepare a lease break notice for the tenant of the ground floor, with all dates."
CHINESE = "请为一家中型制造企业编制三年期的现金流预测，并说明营运资金的主要假设和敏感性分析。"


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_case_width_spaces_and_punctuation_make_no_difference(text):
    assert jaccard(shingles(text), shingles(text.upper().replace(" ", "  ") + "!!")) == 1


def test_a_reworded_copy_is_found_and_another_text_is_not():
    others = [
        ("copy", CHINESE.replace("三年期", "五年期")),
        ("other", "请比较两种教学评价方案，并给出适合乡村学校的建议与实施步骤。"),
        ("empty", ""),
    ]
    found = nearest(CHINESE, others)
    assert [likeness.key for likeness in found] == ["copy"]
    assert 0.5 < found[0].similarity < 1


def test_the_three_nearest_come_best_first():
    others = [(f"copy-{n}", ENGLISH + " It matters." * n) for n in range(5)]
    assert [likeness.key for likeness in nearest(ENGLISH, others)] == ["copy-0", "copy-1", "copy-2"]


def test_empty_texts_are_alike_to_nothing():
    assert nearest("", [("a", ""), ("b", ENGLISH)]) == []
    assert jaccard(shingles("…"), shingles("")) == 0
