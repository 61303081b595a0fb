"""The queue says what is mine, what I may take, and what comes next; Home knows it too."""

import pytest
from django.urls import reverse

from judge.scoring.anchors.actions import take_anchor
from judge.scoring.pages.waiting import waiting
from tests.scoring.pages.conftest import LINES, answered, send_back

pytestmark = pytest.mark.django_db


def test_an_empty_queue_says_what_comes_next(task, desk):
    html = desk.get(reverse("scoring")).content.decode()
    assert "No sheet is open" in html
    assert "New ones come when the staff draw tasks for gold" in html


def test_only_experts_have_a_queue(client, applicant, staff, sign_in):
    assert client.get(reverse("scoring")).status_code == 302
    assert sign_in(applicant).get(reverse("scoring")).status_code == 403
    assert sign_in(staff).get(reverse("scoring")).status_code == 403


def test_the_pool_offers_what_i_may_take_and_my_sheets_stand_first(anchor, desk, scorer):
    assert "Take this response" in desk.get(reverse("scoring")).content.decode()
    sheet = take_anchor(actor=scorer, anchor=anchor)
    html = desk.get(reverse("scoring")).content.decode()
    assert "Take this response" not in html
    assert f"0 of {LINES} scored" in html
    line = sheet.version.criteria.first()
    desk.post(reverse("sheet-line", args=[sheet.pk, line.pk]), {"met": "true", "rationale": "x"})
    html = desk.get(reverse("scoring")).content.decode()
    assert "Score the 14 lines left" in html


def test_strangers_of_the_domain_see_an_empty_pool(anchor, stranger, sign_in):
    assert b"Take this response" not in sign_in(stranger).get(reverse("scoring")).content


def test_a_submitted_sheet_says_where_it_is(submitted, desk):
    assert "with a senior" in desk.get(reverse("scoring")).content.decode()


def test_seniors_see_the_checks_they_may_take_and_the_ones_they_have(
    submitted, anchor, desk, high_desk
):
    assert "Take this check" in high_desk.get(reverse("scoring")).content.decode()
    assert "Scored responses to check" not in desk.get(reverse("scoring")).content.decode()
    high_desk.post(reverse("meta-take", args=[anchor.pk]))
    html = high_desk.get(reverse("scoring")).content.decode()
    assert "Open the check" in html
    assert "Take this check" not in html


@pytest.mark.parametrize("many", [1, 6])
def test_the_queue_takes_as_many_queries_for_many_sheets_as_for_one(
    many, approve, person, finance, sign_in, django_assert_max_num_queries
):
    anchors = [answered(approve(title=f"Task {n}")) for n in range(2 * many)]
    scorer = person("scorer", finance, senior=True)
    for anchor in anchors[:many]:
        take_anchor(actor=scorer, anchor=anchor)
    desk = sign_in(scorer)
    desk.get(reverse("scoring"))
    # two of them: a senior's ties, for the count in the bar
    with django_assert_max_num_queries(19):
        html = desk.get(reverse("scoring")).content.decode()
    assert html.count("Take this response") == many


def test_home_knows_what_waits_for_a_scorer_and_a_senior(
    check, anchor, sheet, scorer, checker, person, finance, stranger
):
    mine = waiting(checker)
    assert [(w.title, w.blocks, w.section) for w in mine] == [
        ("Check a scored response", True, "scoring")
    ]
    assert mine[0].url == reverse("meta", args=[anchor.pk])
    send_back(check, checker)
    waits = waiting(scorer)
    assert [w.title for w in waits] == ["Score a returned response"]
    assert waits[0].url == reverse("sheet", args=[sheet.pk])
    assert waits[0].blocks
    assert waits[0].button == "Submit the sheet"
    assert waiting(stranger) == []
    assert waiting(person("nobody")) == []


def test_home_counts_what_could_be_taken(anchor, scorer, checker):
    assert [w.title for w in waiting(scorer)] == ["1 response can be taken"]
