"""A senior who did not score the anchor has a word on every line, then validates or sends back."""

import pytest
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Seat
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.models import MetaEvaluation, MetaLine
from judge.scoring.sheets.actions import submit_sheet
from judge.scoring.sheets.models import Sheet
from tests.scoring.pages.conftest import LINES, send_back

pytestmark = pytest.mark.django_db
AUTOSAVE = {"X-Autosave": "1", "Accept": "application/json"}


def lines_of(check: MetaEvaluation) -> list[int]:
    sheet = Sheet.objects.get(response=check.anchor.response_id)
    return list(sheet.lines.order_by("criterion__position").values_list("criterion_id", flat=True))


def agreed(check: MetaEvaluation, **other: str) -> dict[str, str]:
    return {f"agrees-{pk}": "true" for pk in lines_of(check)} | {"remarks": ""} | other


# --- taking -------------------------------------------------------------------------------------
def test_a_senior_of_the_domain_takes_a_check(submitted, anchor, high_desk, checker):
    response = high_desk.post(reverse("meta-take", args=[anchor.pk]))
    assert response.headers["Location"] == reverse("meta", args=[anchor.pk])
    assert Seat.objects.get(user=checker).role == "meta_evaluator"
    high_desk.post(reverse("meta-take", args=[anchor.pk]))  # a doubled click
    assert MetaEvaluation.objects.count() == 1


def test_a_senior_who_scored_it_cannot_check_it(anchor, checker, high_desk):
    sheet = take_anchor(actor=checker, anchor=anchor)
    for line in sheet.version.criteria.all():
        high_desk.post(
            reverse("sheet-line", args=[sheet.pk, line.pk]), {"met": "true", "rationale": "Yes."}
        )
    submit_sheet(actor=checker, sheet=sheet)
    response = high_desk.post(reverse("meta-take", args=[anchor.pk]))
    assert response.status_code == 409
    assert not MetaEvaluation.objects.exists()
    assert b"Take this check" not in high_desk.get(reverse("scoring")).content


def test_a_check_is_one_seniors(check, anchor, person, finance, sign_in):
    late = sign_in(person("late", finance, senior=True))
    assert late.post(reverse("meta-take", args=[anchor.pk])).status_code == 409
    assert late.get(reverse("meta", args=[anchor.pk])).status_code == 404
    assert Seat.objects.filter(role="meta_evaluator").count() == 1


def test_no_senior_of_the_domain_no_check(submitted, anchor, desk, person, law, sign_in):
    url = reverse("meta-take", args=[anchor.pk])
    assert desk.post(url).status_code == 403
    assert sign_in(person("jurist", law, senior=True)).post(url).status_code == 404


def test_an_anchor_still_being_scored_is_not_checked(sheet, anchor, high_desk):
    assert high_desk.post(reverse("meta-take", args=[anchor.pk])).status_code == 409


def test_a_senior_of_before_cannot_go_on(check, anchor, checker, high_desk):
    checker.qualifications.update(senior=False)
    assert high_desk.get(reverse("meta", args=[anchor.pk])).status_code == 403
    checker.qualifications.update(senior=True, active=False)
    assert high_desk.get(reverse("meta", args=[anchor.pk])).status_code == 403


# --- the page -----------------------------------------------------------------------------------
def test_the_check_shows_each_verdict_with_its_reason(check, anchor, high_desk):
    html = high_desk.get(reverse("meta", args=[anchor.pk])).content.decode()
    assert html.count("says so.") == LINES
    assert "Paragraph 3 says so." in html
    assert f"0 agreed, 0 corrected, 0 disagreed, {LINES} to go" in html


def test_what_a_senior_types_is_kept_and_comes_back(check, anchor, high_desk):
    first, second = lines_of(check)[:2]
    url = reverse("meta", args=[anchor.pk])
    sent = {
        f"agrees-{first}": "true",
        f"agrees-{second}": "false",
        f"remark-{second}": "The table says",
        "remarks": "So far",
        "version": "1",
    }
    answer = high_desk.post(url, sent, headers=AUTOSAVE)
    assert (answer.status_code, answer.json()["version"]) == (200, 2)
    page = high_desk.get(url).context["page"]
    assert [line.agrees for line in page.lines[:3]] == ["true", "false", ""]
    assert (page.lines[1].remark, page.remarks) == ("The table says", "So far")
    stale = high_desk.post(url, sent | {"remarks": "Other"}, headers=AUTOSAVE)
    assert (stale.status_code, stale.json()["theirs"]["remarks"]) == (409, "So far")
    assert high_desk.post(url, sent, headers=AUTOSAVE).status_code == 200  # the same again


def test_the_check_is_read_in_as_few_queries_as_a_workbench_may(
    check, anchor, high_desk, django_assert_max_num_queries
):
    high_desk.get(reverse("meta", args=[anchor.pk]))
    with django_assert_max_num_queries(16):
        high_desk.get(reverse("meta", args=[anchor.pk]))


# --- deciding -----------------------------------------------------------------------------------
def test_agreement_on_every_line_validates_the_anchor(check, anchor, sheet, high_desk, checker):
    url = reverse("meta", args=[anchor.pk])
    response = high_desk.post(url, agreed(check, verdict="validated"), follow=True)
    assert "Validated." in response.content.decode()
    anchor.refresh_from_db()
    assert (anchor.stage, anchor.sheet_id) == ("validated", sheet.pk)
    assert MetaLine.objects.filter(agrees=True).count() == LINES
    event = anchor.history.last()
    assert (event.actor, event.data["disagreed"]) == (checker, 0)
    assert high_desk.post(url, agreed(check, verdict="validated")).status_code == 409  # decided


def test_a_disagreement_stands_in_the_way_of_validation(check, anchor, high_desk):
    pk = lines_of(check)[2]
    sent = agreed(check, verdict="validated") | {
        f"agrees-{pk}": "false",
        f"remark-{pk}": "Not so.",
        "remarks": "Nearly.",
    }
    response = high_desk.post(reverse("meta", args=[anchor.pk]), sent)
    assert response.status_code == 400
    html = response.content.decode()
    assert "You disagree with 1 line." in html
    assert "Not so." in html
    assert "Nearly." in html
    assert not MetaLine.objects.exists()


def test_missing_words_and_reasons_are_named_and_nothing_typed_is_lost(check, anchor, high_desk):
    lines = lines_of(check)
    sent = agreed(check, verdict="validated", remarks="A remark.")
    del sent[f"agrees-{lines[5]}"]
    sent[f"agrees-{lines[7]}"] = "false"
    response = high_desk.post(reverse("meta", args=[anchor.pk]), sent)
    html = response.content.decode()
    assert response.status_code == 400
    assert "You have not agreed or disagreed with 1 line yet." in html
    assert "1 disagreement needs its reason." in html
    assert response.context["current"].pk == lines[5]
    assert "A remark." in html


@pytest.mark.parametrize("verdict", ["", "accept", "sent_back"])
def test_a_decision_needs_a_known_verdict_and_sending_back_needs_remarks(
    check, anchor, high_desk, verdict
):
    response = high_desk.post(reverse("meta", args=[anchor.pk]), agreed(check, verdict=verdict))
    assert response.status_code in (400, 409)
    anchor.refresh_from_db()
    assert anchor.stage == "meta_evaluation"


def test_a_sheet_sent_back_shows_the_scorer_the_remarks_on_its_lines(
    check, anchor, sheet, checker, desk
):
    line = send_back(check, checker, line=4)
    anchor.refresh_from_db()
    sheet.refresh_from_db()
    assert (anchor.stage, sheet.state, anchor.sheet_id) == ("scoring", "open", None)
    response = desk.get(reverse("sheet", args=[sheet.pk]))
    assert response.context["current"].pk == line
    html = response.content.decode()
    assert "A senior sent this sheet back." in html
    assert "Look at the table again." in html
    assert "The table says 112." in html
    assert "returned with remarks" in desk.get(reverse("scoring")).content.decode()
    changed = {"met": "false", "rationale": "It says 112, not 134.4."}
    desk.post(reverse("sheet-line", args=[sheet.pk, line]), changed)
    assert desk.post(reverse("sheet-submit", args=[sheet.pk])).status_code == 302


def test_the_same_senior_checks_again_and_unchanged_lines_keep_the_agreement(
    check, anchor, sheet, checker, desk, high_desk
):
    line = send_back(check, checker)
    changed = {"met": "false", "rationale": "It says 112, not 134.4."}
    desk.post(reverse("sheet-line", args=[sheet.pk, line]), changed)
    desk.post(reverse("sheet-submit", args=[sheet.pk]))
    again = MetaEvaluation.objects.get(verdict="")
    assert (again.number, again.senior) == (2, checker)
    page = high_desk.get(reverse("meta", args=[anchor.pk])).context["page"]
    assert [x.pk for x in page.lines if not x.agrees] == [line]
    assert page.before == "Look at the table again."
    high_desk.post(reverse("meta", args=[anchor.pk]), agreed(again, verdict="validated"))
    anchor.refresh_from_db()
    assert anchor.stage == "validated"


def test_the_next_check_goes_to_the_pool_when_that_senior_is_none_any_more(
    check, anchor, sheet, checker, scorer, person, finance, sign_in
):
    send_back(check, checker)
    checker.qualifications.update(active=False)
    sheet.refresh_from_db()
    submit_sheet(actor=scorer, sheet=sheet)
    assert not MetaEvaluation.objects.filter(verdict="").exists()
    late = person("late", finance, senior=True)
    assert take_meta(actor=late, anchor=anchor).number == 2


def test_a_check_cannot_be_decided_on_an_anchor_that_moved(check, anchor, checker):
    from curation.base.web.refusals import Conflict

    send_back(check, checker)
    with pytest.raises(Conflict):
        decide_anchor(actor=checker, evaluation=check, verdict="validated", remarks="", lines={})


def test_the_people_of_the_task_are_no_scorers(anchor, sign_in):
    """Screener and reviewer hold their seats already: the pool does not offer the task."""
    for name in ("screener", "reviewer", "author"):
        desk = sign_in(User.objects.get(email=f"{name}@example.test"))
        html = desk.get(reverse("scoring")).content.decode()
        assert "Take this response" not in html
