"""Differences between two texts: by word, escaped, and bounded on a page."""

import re

import pytest
from django.template import Context, RequestContext
from hypothesis import given
from hypothesis import strategies as st

from curation.base.text import markdown
from curation.base.web import look


def test_a_difference_is_shown_by_word():
    assert markdown.diff_words(
        "Leaves some rest after a night.", "Leaves 11 hours of rest after a night."
    ) == [
        ("same", "Leaves "),
        ("del", "some "),
        ("ins", "11 hours of "),
        ("same", "rest after a night."),
    ]


def test_chinese_is_compared_by_character():
    assert markdown.diff_words("说明减量的理由。", "说明减量的两条理由。") == [
        ("same", "说明减量的"),
        ("ins", "两条"),
        ("same", "理由。"),
    ]


def test_a_line_that_is_mostly_new_is_shown_as_two_whole_lines():
    old, new = "Handles the tablet with care.", "Reduces the dose in steps over two weeks."
    assert markdown.diff_words(old, new) == [("del", old), ("ins", new)]


def test_adding_to_a_line_never_hides_the_words_that_stayed():
    old = "Names the reserve."
    runs = markdown.diff_words(
        old, "Names the reserve. It is called first, by telephone, before anybody else is."
    )
    assert [kind for kind, _text in runs] == ["same", "ins"]


REPEATED = (
    " ".join(f"w{n % 50} here" for n in range(1_000)),
    " ".join(f"w{n % 50} there" for n in range(1_000)),
)
"""Two texts of 2,000 words each that take ten million steps to compare."""


def test_a_long_text_is_compared_by_word_within_its_changed_lines():
    def text(word):
        lines = (" ".join([f"{n}", *(f"w{k}" for k in range(500)), word]) for n in range(40))
        return "".join(f"{line}\n= {n}\n" for n, line in enumerate(lines))

    effort = markdown.Effort()
    runs = markdown.diff_words(text("here"), text("there"), effort)
    assert [run for run in runs if run[0] == "ins"] == [("ins", "there\n")] * 40
    assert not effort.cut


@pytest.mark.parametrize(
    ("old", "new"),
    [
        REPEATED,
        ("\n".join(["a", *REPEATED[0].split()]), "\n".join(REPEATED[1].split() * 2)),
        tuple("".join(f"{chr(0x4E00 + n % 300)}{sign}" for n in range(10_000)) for sign in "。，"),
    ],
)
def test_what_takes_too_many_steps_to_compare_is_shown_whole(old, new):
    effort = markdown.Effort()
    assert markdown.diff_words(old, new, effort) == [("del", old), ("ins", new)]
    assert effort.cut
    assert effort.left >= 0


def test_all_differences_of_a_page_share_one_effort_and_say_where_it_ends(rf):
    page = RequestContext(rf.get("/"))
    said = "Too long to be compared word by word: shown whole."
    assert said in look.word_diff(page, *REPEATED)
    left = page.request.effort.left
    assert left < markdown.Effort().left
    part = page.new({})  # as in an included part
    assert said not in look.word_diff(part, "one two three", "one two four")
    assert page.request.effort.left < left
    page.request.effort.left = 0
    html = look.word_diff(part, "one two three", "one two four", side="new")
    assert "one two four</ins>" in html
    assert said in html
    assert said not in look.word_diff(part, "one two three", "one two four", side="old")
    assert said not in look.word_diff(part, "one two three", "one two three")
    assert said not in look.word_diff(Context(), "one two three", "one two four")


def test_equal_and_empty_texts_have_no_difference():
    assert markdown.diff_words("a b", "a b") == [("same", "a b")]
    assert markdown.diff_words("", "") == []
    assert markdown.diff_words("", "new") == [("ins", "new")]
    assert markdown.diff_words("old", "") == [("del", "old")]


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_difference_loses_no_word_of_either_text(old, new):
    def bare(text):
        return re.sub(r"\s", "", text)

    runs = markdown.diff_words(old, new)
    assert bare("".join(t for k, t in runs if k != "del")) == bare(new)
    assert bare("".join(t for k, t in runs if k != "ins")) == bare(old)


def test_a_difference_is_escaped_and_announced():
    html = look.word_diff(Context(), "one <b> two three", "one <i> two three")
    assert "<b>" not in html
    assert '<del><span class="sr">removed: </span>b</del>' in html
    assert '<ins><span class="sr">added: </span>i</ins>' in html


def test_each_column_shows_only_its_own_side():
    assert "<ins" not in look.word_diff(Context(), "a b c", "a d c", side="old")
    assert "<del" not in look.word_diff(Context(), "a b c", "a d c", side="new")


def test_one_chinese_character_between_two_changes_is_no_word_that_stayed():
    old, new = "指出该公司应当披露关联交易的金额", "指出该企业必须公开关联交易的金额"
    assert markdown.diff_words(old, new) == [
        ("same", "指出该"),
        ("del", "公司应当披露"),
        ("ins", "企业必须公开"),
        ("same", "关联交易的金额"),
    ]


def test_words_do_not_run_together_where_a_space_went_with_what_was_removed():
    html = look.word_diff(Context(), "Calls for the works council.", "Calls for the.")
    assert "the <del>" in html
    assert "的 <del>" not in look.word_diff(Context(), "应当说明的理由和金额", "应当说明的金额")
