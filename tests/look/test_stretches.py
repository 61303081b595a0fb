"""Differences of long texts: what changed with the lines around it, the rest folded."""

import pytest

from curation.base.text.comparisons import stretches

LONG = [f"Point {n} of the answer." for n in range(1, 31)]


def test_long_unchanged_stretches_are_folded_and_nothing_is_lost():
    after = [*LONG[:14], "Another point.", *LONG[15:], "And one more."]
    found = stretches("\n".join(LONG), "\n".join(after))
    assert [stretch.folded for stretch in found] == [12, 0, 11, 0]
    assert found[1].after == "\n".join(after[12:17])
    assert "\n".join(stretch.before for stretch in found) == "\n".join(LONG)
    assert "\n".join(stretch.after for stretch in found) == "\n".join(after)


@pytest.mark.parametrize(
    ("before", "after"), [("a", "b"), ("", "b\nc"), ("a\nb\nc\nd", "a\nb\nc\nd\ne")]
)
def test_short_texts_are_shown_whole(before, after):
    (found,) = stretches(before, after)
    assert (found.before, found.after, found.folded) == (before, after, 0)


def test_a_long_text_of_separate_paragraphs_is_compared_at_once():
    before = "\n\n".join(f"Paragraph {n} as it was." for n in range(999))
    after = "\n\n".join(f"Paragraph {n} as it is." for n in range(999))
    found = stretches(before, after)
    assert "\n".join(one.before for one in found) == before
    assert "\n".join(one.after for one in found) == after
