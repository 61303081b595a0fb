"""Percent, κ and α over what two people judged, hand-computed; what is undefined says why."""

import csv
import io
import re
from fractions import Fraction
from typing import Any

import pytest
from django.utils import timezone

from curation.joining.domains.models import Domain
from judge.scoring.agreement.queries import HEAD, report
from judge.scoring.agreement.units import Kind, tasks_open_to, units_of
from rubrics.versions.models import RubricVersion


def text_of(reply: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", reply.content.decode()).split())


def rows_of(reply: Any) -> list[dict[str, str]]:
    body = b"".join(reply.streaming_content).decode().removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(body)))


def test_two_reviewers_on_ten_lines_give_the_hand_computed_figures(ten, staff, sign_in):
    """8 of 10 agree; κ = 7/12; α = 1 − 19·2/(12·8) = 29/48."""
    task = ten()
    found = report(staff, Kind.REVIEW)
    overall = found.overall.report
    assert (overall.percent, overall.kappa, overall.alpha) == (
        Fraction(8, 10),
        Fraction(7, 12),
        Fraction(29, 48),
    )
    assert (overall.units, overall.raters) == (10, 2)
    assert (found.overall.disputed, found.overall.open) == (2, 2)
    page = text_of(sign_in(staff).get("/staff/agreement/"))
    assert "Of 10 lines judged by more than one person, 80 % of the pairs agree." in page
    assert "κ 0.58, α 0.60" in page
    assert "2 lines are disputed: 0 came together, 0 ruled by a senior, 2 open." in page
    for name in ("Finance", "Accuracy", task.title):
        assert name in page


def test_figures_stand_by_domain_dimension_and_task(ten, desk, readers, staff, law):
    ten()
    other = desk.task("lease", law)
    version = desk.version(other, ["Names the lender.", "Gives the rent."], "compliance")
    desk.round(version, readers[0], "10")
    desk.round(version, readers[1], "10")
    found = report(staff, Kind.REVIEW)
    assert [(row.name, row.report.units, row.report.percent) for row in found.domains] == [
        ("Finance", 10, Fraction(8, 10)),
        ("Law", 2, 1),
    ]
    assert {row.key: row.report.units for row in found.dimensions} == {
        "accuracy": 10,
        "compliance": 2,
    }
    assert [row.name for row in found.tasks] == ["Headroom", "Lease"]  # open disputes first
    narrowed = report(staff, Kind.REVIEW, law)
    assert narrowed.overall.report.units == 2


def test_where_everybody_says_the_same_kappa_and_alpha_are_undefined_and_say_why(
    ten, staff, sign_in
):
    ten(one="1" * 10, other="1" * 10)
    page = text_of(sign_in(staff).get("/staff/agreement/"))
    assert "100 % of the pairs agree. α is undefined: everybody gave one and the same" in page
    assert "NaN" not in page
    assert "None" not in page


def test_nothing_judged_twice_is_said_in_words(desk, readers, staff, sign_in, finance):
    version = desk.version(desk.task("alone", finance), ["Names the lender."])
    desk.round(version, readers[0], "1")
    desk.round(version, readers[1], "0", finished=False)  # open: nobody reads it yet
    browser = sign_in(staff)
    assert "No line has been judged by two reviewers yet" in text_of(
        browser.get("/staff/agreement/")
    )
    assert "No line of a response has been scored by two" in text_of(
        browser.get("/staff/agreement/?kind=sheet")
    )


def test_a_carried_approval_is_not_counted_again_and_a_changed_line_is_another(
    desk, readers, staff, finance
):
    task = desk.task("rounds", finance)
    first = desk.version(task, ["Names the lender.", "Gives the price.", "States the date."])
    desk.round(first, readers[0], "110")
    desk.round(first, readers[1], "100")
    second = desk.version(task, ["Names the lender.", "Gives the price.", "States 31 March."])
    desk.round(second, readers[0], "cc1")
    desk.round(second, readers[1], "c11")  # comes round on the second line
    found = report(staff, Kind.REVIEW)
    assert found.overall.report.units == 4
    assert (found.overall.disputed, found.overall.came_together, found.overall.open) == (1, 1, 0)


def test_a_round_that_was_handed_back_counts_for_nothing(desk, readers, staff, finance):
    version = desk.version(desk.task("back", finance), ["Names the lender."])
    desk.round(version, readers[0], "1")
    left = desk.round(version, readers[1], "0")
    type(left).objects.filter(pk=left.pk).update(finished_at=left.opened_at)
    assert report(staff, Kind.REVIEW).overall.report.units == 0


def test_three_scorers_have_an_alpha_and_no_kappa_and_a_gap_is_no_verdict(bench, staff, sign_in):
    """Lines 111, 110, 00–, 011: the pairs that agree are 3 + 1 + 1 + 1 of 3 + 3 + 1 + 3.

    7 ones, 4 zeros; observed disagreement 2·2/2 twice = 4, expected 2·7·4/10 = 5.6: α = 2/7.
    """
    bench.task("one", weights=(4, 3, 2, 1))
    bench.response("one", "Cedar")
    for rater, met in (("a", (1, 1, 0, 0)), ("b", (1, 1, 0, 1)), ("c", (1, 0, None, 1))):
        bench.sheet("one", "Cedar", rater, met)
    found = report(staff, Kind.SHEET)
    figures = found.overall.report
    assert (figures.percent, figures.kappa, figures.alpha) == (
        Fraction(6, 10),
        None,
        Fraction(2, 7),
    )
    page = text_of(sign_in(staff).get("/staff/agreement/?kind=sheet"))
    assert "κ has a dash where more than two people judged the lines" in page
    task = sign_in(staff).get(f"/staff/agreement/{found.tasks[0].key}/")
    assert "κ: more than two people judged these lines; see α" in text_of(task)


def test_the_order_of_scorers_changes_nothing_and_a_judge_is_no_expert(bench, staff):
    sheets = {"a": (1, 0, 1, 1), "b": (1, 1, 0, 1)}
    for task, raters in (("one", "ab"), ("two", "ba")):
        bench.task(task, weights=(4, 3, 2, 1))
        bench.response(task, "Cedar")
        for rater in raters:
            bench.sheet(task, "Cedar", rater, sheets[rater])
        bench.sheet(task, "Cedar", "robot", (0, 0, 0, 0), kind="judge")
    one, two = (row.report for row in report(staff, Kind.SHEET).tasks)
    assert (one.percent, one.kappa, one.alpha) == (two.percent, two.kappa, two.alpha)
    assert one.raters == 2


def test_who_scored_again_on_a_new_version_is_counted_once_by_the_newest_sheet(bench, staff):
    bench.task("one", weights=(1, 1))
    bench.response("one", "Cedar")
    old = bench.sheet("one", "Cedar", "a", (1, 0))
    bench.sheet("one", "Cedar", "b", (1, 1))
    lines = list(old.version.criteria.all())
    newer = RubricVersion.objects.create(
        task=old.version.task, number=2, origin="import", frozen_at=timezone.now(), sha256="1" * 64
    )
    for line in lines:
        line.pk, line.version = None, newer
        line.save()
    bench.versions["one"] = newer
    bench.sheet("one", "Cedar", "a", (1, 1))
    found = report(staff, Kind.SHEET).overall
    assert (found.report.units, found.report.percent, found.disputed) == (2, 1, 0)


def test_the_file_holds_every_figure_with_its_reason_and_no_formula(ten, desk, staff, sign_in):
    task = ten()
    type(task).objects.filter(pk=task.pk).update(title="=HYPERLINK(1)")
    reply = sign_in(staff).get("/staff/agreement.csv")
    rows = rows_of(reply)
    assert list(rows[0]) == list(HEAD)
    overall = next(r for r in rows if r["kind"] == "review" and r["group"] == "all")
    assert (overall["lines"], overall["percent"], overall["disputed"]) == ("10", "80.0", "2")
    assert float(overall["kappa"]) == pytest.approx(7 / 12)
    empty = next(r for r in rows if r["kind"] == "sheet")
    assert (empty["alpha"], empty["why_alpha"]) == ("", "nothing scored twice")
    assert next(r for r in rows if r["group"] == "task")["name"] == "'=HYPERLINK(1)"


def test_the_page_asks_no_more_queries_for_more_tasks(
    ten, staff, sign_in, django_assert_max_num_queries
):
    browser = sign_in(staff)
    for n in range(4):
        ten(key=f"task-{n}")
    browser.get("/staff/agreement/")
    with django_assert_max_num_queries(9):
        assert browser.get("/staff/agreement/").status_code == 200


def test_unknown_filters_are_refused_by_name(staff, sign_in):
    reply = sign_in(staff).get("/staff/agreement/?author__password=x")
    assert reply.status_code == 400
    assert sign_in(staff).get("/staff/agreement/?kind=other").status_code == 400


def test_the_units_of_nobody_are_none(staff, finance: Domain):
    assert units_of(Kind.REVIEW, tasks_open_to(staff)) == []
