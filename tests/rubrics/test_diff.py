"""Two sets of lines side by side, and the balance of one."""

from types import SimpleNamespace

import pytest

from rubrics.versions.balance import (
    by_dimension,
    by_importance,
    count_flaws,
    shift_by_dimension,
    shift_by_importance,
    usual_share,
)
from rubrics.versions.diff import align, count, same_content, with_splits_and_merges


def line(key: str, text: str = "", **values: object) -> SimpleNamespace:
    content = {"importance": "important", "weight": 5, "dimension": "accuracy", **values}
    return SimpleNamespace(key=key, text=text or f"Line {key}", **content)


def test_lines_are_kept_edited_added_and_removed() -> None:
    old = [line("a"), line("b"), line("c")]
    new = [line("a"), line("c", "Changed"), line("d")]
    rows = align(old, new)
    assert [(row.kind, row.n_old, row.n_new) for row in rows] == [
        ("kept", 1, 1),
        ("removed", 2, None),
        ("edited", 3, 2),
        ("added", None, 3),
    ]
    assert count(rows) == count(rows).__class__(kept=1, edited=1, added=1, removed=1)
    assert count(rows).differ == 3


def test_a_change_of_weight_alone_is_an_edit_and_says_what_changed() -> None:
    rows = align([line("a")], [line("a", weight=9)])
    assert rows[0].kind == "edited"
    assert rows[0].changed == ("weight",)
    assert not same_content(line("a"), line("a", weight=9))


def test_moved_lines_stay_kept_in_the_new_order() -> None:
    rows = align([line("a"), line("b"), line("c")], [line("c"), line("a")])
    assert [(row.kind, (row.new or row.old).key) for row in rows] == [
        ("kept", "c"),
        ("kept", "a"),
        ("removed", "b"),
    ]


def test_removed_lines_in_front_stay_in_front_and_in_their_order() -> None:
    rows = align([line("a"), line("b"), line("c")], [line("c")])
    assert [(row.new or row.old).key for row in rows] == ["a", "b", "c"]


def test_two_lines_from_one_source_match_once() -> None:
    rows = align(
        [line("a")],
        [line("a"), line("x")],
        old_id=lambda _line: 1,
        new_id=lambda _line: 1,
    )
    assert [row.kind for row in rows] == ["kept", "added"]


def test_nothing_beside_nothing_is_empty() -> None:
    assert align([], []) == []


def test_bars_show_weight_and_not_the_number_of_lines() -> None:
    lines = [
        line("a", weight=9, importance="essential"),
        line("b", weight=1, importance="optional", dimension="depth"),
        line("c", weight=10, importance="essential"),
    ]
    parts = by_importance(lines)
    assert [(p.key, p.lines, p.weight) for p in parts] == [
        ("essential", 2, 19),
        ("important", 0, 0),
        ("optional", 1, 1),
    ]
    assert parts[0].share == 19 / 20
    assert [(p.key, p.weight) for p in by_dimension(lines)] == [("accuracy", 19), ("depth", 1)]


def test_an_empty_rubric_has_shares_of_nothing_and_no_dimension() -> None:
    assert [p.share for p in by_importance([])] == [0, 0, 0]
    assert by_dimension([]) == []


def test_what_is_usual_needs_five_rubrics_and_is_their_middle_half() -> None:
    assert usual_share([0.5] * 4) is None
    # sorted 40 45 50 60 70: quartiles inclusive are 45 and 60
    assert usual_share([0.70, 0.45, 0.50, 0.40, 0.60]) == (45, 60)
    assert usual_share([0.5] * 9) == pytest.approx((50, 50))


def test_as_few_lines_as_possible_count_as_moved() -> None:
    old = [line(key) for key in "abcdef"]
    rows = align(old, [line(key) for key in "fabdce"])
    assert [row.new.key for row in rows if row.moved] in (["f", "c"], ["f", "d"])
    assert not any(row.moved for row in align(old, [old[0], line("x"), *old[2:]]))


def test_a_row_knows_its_share_before_and_after() -> None:
    rows = align([line("a", weight=6), line("b", weight=2)], [line("a", weight=6), line("c")])
    assert [(row.share_old, row.share_new) for row in rows] == [
        (6 / 8, 6 / 11),
        (2 / 8, None),
        (None, 5 / 11),
    ]


def test_split_and_merged_lines_say_where_they_came_from_and_went() -> None:
    rows = align([line("a"), line("b")], [line("a", "Half"), line("c"), line("d")])
    told = with_splits_and_merges(rows, {"d": "c", "c": "a", "a": "a"}, {"b": "a"})
    assert [(r.kind, r.split_from, r.merged_into) for r in told] == [
        ("edited", None, None),
        ("removed", None, 1),
        ("added", 1, None),
        ("added", 1, None),
    ]
    assert with_splits_and_merges(rows, {}, {}) == rows


def test_the_points_shift_by_importance_and_by_the_dimensions_either_has() -> None:
    old = [line("a", weight=9, importance="essential"), line("b", weight=2, dimension="depth")]
    new = [line("a", weight=4, importance="essential"), line("c", weight=3, dimension="safety")]
    assert [(s.key, s.points) for s in shift_by_importance(old, new)] == [
        ("essential", -5),
        ("important", 1),
        ("optional", 0),
    ]
    assert [(s.key, s.points) for s in shift_by_dimension(old, new)] == [
        ("accuracy", -5),
        ("safety", 3),
        ("depth", -2),
    ]


def test_a_critical_flaw_of_a_skill_earns_nothing_and_has_no_share() -> None:
    lines = [line("a", weight=10), line("b"), line("c", weight=10, dimension="critical_flaw")]
    assert count_flaws(lines) == 1
    assert [(part.key, part.lines, part.share) for part in by_dimension(lines)] == [
        ("accuracy", 2, 1.0)
    ]
    assert sum(part.weight for part in by_importance(lines)) == 15
