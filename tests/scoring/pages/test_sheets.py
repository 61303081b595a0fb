"""A sheet is filled line by line, resumes at the exact place, and is submitted once."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.joining.people import User
from curation.tasks.task.models import Seat
from judge.asking.candidates.models import Response
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion
from tests.markup import one_line
from tests.scoring.pages.conftest import LINES, verdicts

pytestmark = pytest.mark.django_db
AUTOSAVE = {"X-Autosave": "1", "Accept": "application/json"}


def lines_of(sheet: Sheet) -> list[Criterion]:
    return list(sheet.version.criteria.order_by("position", "id"))


def line_url(sheet: Sheet, line: Criterion) -> str:
    return reverse("sheet-line", args=[sheet.pk, line.pk])


# --- taking -------------------------------------------------------------------------------------
def test_taking_a_response_opens_its_sheet_and_takes_the_scorers_seat(anchor, desk, scorer):
    response = desk.post(reverse("sheet-take", args=[anchor.pk]))
    sheet = Sheet.objects.get()
    assert response.headers["Location"] == reverse("sheet", args=[sheet.pk])
    assert (sheet.user, sheet.purpose, sheet.rater) == (scorer, "anchor", f"expert-{scorer.pk}")
    assert sheet.due_at is not None
    assert Seat.objects.get(user=scorer).role == "scorer"
    desk.post(reverse("sheet-take", args=[anchor.pk]))  # a doubled click
    assert Sheet.objects.count() == 1


def test_a_taken_response_is_not_taken_again(sheet, anchor, person, finance, sign_in):
    late = sign_in(person("late", finance))
    assert late.post(reverse("sheet-take", args=[anchor.pk])).status_code == 409
    assert Seat.objects.filter(role="scorer").count() == 1


def test_who_holds_another_seat_on_the_task_cannot_score_it(anchor, author, sign_in):
    for user in (author, User.objects.get(email="reviewer@example.test")):
        response = sign_in(user).post(reverse("sheet-take", args=[anchor.pk]))
        assert response.status_code == 409
        assert "another seat" in response.content.decode()
    assert not Sheet.objects.exists()


def test_a_stranger_to_the_domain_finds_nothing_to_take(anchor, stranger, applicant, sign_in):
    url = reverse("sheet-take", args=[anchor.pk])
    assert sign_in(stranger).post(url).status_code == 404
    assert sign_in(applicant).post(url).status_code == 403


def test_a_reopened_tasks_response_waits_until_the_rubric_is_approved_again(
    anchor, task, desk, staff
):
    from review.spot_checks.actions import reopen

    reopen(actor=staff, task=task, reason="A figure changed.")
    assert desk.post(reverse("sheet-take", args=[anchor.pk])).status_code == 409


# --- the page -----------------------------------------------------------------------------------
def test_a_sheet_opens_at_its_first_line_that_is_not_done(sheet, desk, scorer):
    lines = lines_of(sheet)
    for line in (lines[0], lines[1], lines[3]):
        desk.post(line_url(sheet, line), {"met": "true", "rationale": "Yes."})
    response = desk.get(reverse("sheet", args=[sheet.pk]))
    assert response.context["current"].pk == lines[2].pk
    html = response.content.decode()
    assert f"3 of {LINES} scored" in html
    assert "3 TRUE, 0 FALSE, 12 to go" in html
    assert "<strong>EUR 134.4 million</strong>" in html  # the response, read as Markdown


def test_a_sheet_is_nobody_elses(sheet, anchor, sign_in, peer, staff, author, checker):
    url = reverse("sheet", args=[sheet.pk])
    for user in (peer, author, checker):
        assert sign_in(user).get(url).status_code == 404
        assert sign_in(user).post(reverse("sheet-submit", args=[sheet.pk])).status_code == 404
        line = lines_of(sheet)[0]
        assert sign_in(user).post(line_url(sheet, line), {"met": "true"}).status_code == 404
    assert sign_in(staff).get(url).status_code == 403  # no expert
    assert SheetLine.objects.count() == 0


def test_anonymous_people_are_asked_to_sign_in(sheet, client):
    for name in ("sheet", "sheet-submit"):
        url = reverse(name, args=[sheet.pk])
        answer = client.post(url) if name == "sheet-submit" else client.get(url)
        assert answer.status_code == 302
        assert "/account/login/" in answer.headers["Location"]


def test_a_suspended_expert_cannot_go_on_scoring(sheet, desk, scorer, law):
    scorer.qualifications.update(domain=law)
    assert desk.get(reverse("sheet", args=[sheet.pk])).status_code == 403
    line = lines_of(sheet)[0]
    assert desk.post(line_url(sheet, line), {"met": "true", "rationale": "x"}).status_code == 403


@pytest.mark.parametrize("lines", [15, 40])
def test_a_sheet_is_read_in_as_few_queries_however_long_its_rubric_is(
    lines, approve, person, finance, sign_in, django_assert_max_num_queries
):
    from judge.scoring.anchors.actions import take_anchor
    from tests.scoring.pages.conftest import answered

    task = approve(lines=lines)
    scorer = person("scorer", finance)
    sheet = take_anchor(actor=scorer, anchor=answered(task))
    desk = sign_in(scorer)
    desk.get(reverse("sheet", args=[sheet.pk]))
    with django_assert_max_num_queries(14):
        desk.get(reverse("sheet", args=[sheet.pk]))


def scored_after(sheet: Sheet, steps: list[int]) -> None:
    """Score the first lines so many seconds after one another."""
    at = timezone.now() - timedelta(days=1)
    for line, seconds in zip(lines_of(sheet), [0, *steps], strict=False):
        at += timedelta(seconds=seconds)
        SheetLine.objects.create(sheet=sheet, criterion=line, met=True, rationale="Yes.", at=at)


@pytest.mark.parametrize(
    ("steps", "minutes"),
    [
        ([60] * 3, None),  # four lines are no pace yet
        ([60] * 4, 10),
        ([0] * 8, None),  # filled in at once, which says nothing of anybody's pace
        ([60, 0, 60, 0, 60, 60], 8),
        ([400, 400, 60, 60, 60, 60, 400, 400], 6),  # interrupted again and again
        ([60, 60, 3000, 60, 60], 9),  # a break is no work
        ([60] * 14, None),  # nothing is left
    ],
)
def test_the_time_left_is_told_after_some_lines_and_counts_no_break(sheet, desk, steps, minutes):
    scored_after(sheet, steps)
    page = desk.get(reverse("sheet", args=[sheet.pk])).content.decode()
    if minutes is None:
        assert "at your pace" not in page
    else:
        assert f"about {minutes} minutes left at your pace" in page


def test_the_time_left_is_never_less_than_reading_takes(sheet, desk):
    scored_after(sheet, [6] * 4)
    Response.objects.filter(pk=sheet.response_id).update(text="word " * 2300)
    page = desk.get(reverse("sheet", args=[sheet.pk])).content.decode()
    # Two thirds of the lines are open: of ten minutes' reading that is nearly seven, and the lines.
    minutes = int(page.split(" minutes left at your pace")[0].rpartition("about ")[2])
    assert 7 <= minutes <= 8


# --- lines --------------------------------------------------------------------------------------
def test_a_finished_line_is_saved_and_leads_to_the_next_open_one(sheet, desk):
    first, second = lines_of(sheet)[:2]
    response = desk.post(line_url(sheet, first), {"met": "false", "rationale": " Not there. "})
    assert response.status_code == 302
    assert response.headers["Location"].endswith(f"?line={second.pk}#line-{second.pk}")
    line = SheetLine.objects.get()
    assert (line.met, line.rationale) == (False, "Not there.")
    sheet.refresh_from_db()
    assert sheet.saved_at is not None


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"met": "true", "rationale": " "}, "a colleague must be able to check it"),
        ({"met": "", "rationale": "Because."}, "Choose TRUE or FALSE."),
        ({"met": "maybe", "rationale": "Because."}, "maybe"),
        ({"met": "true", "rationale": "x" * 5001}, "the limit is 5,000"),
        ({"met": "true", "rationale": "a\x00b"}, "invisible NUL"),
    ],
)
def test_an_unfinished_line_comes_back_with_everything_typed(sheet, desk, sent, sentence):
    line = lines_of(sheet)[4]
    response = desk.post(line_url(sheet, line), sent)
    assert response.status_code == 400
    html = response.content.decode()
    assert sentence in html
    assert response.context["current"].pk == line.pk
    assert response.context["current"].rationale == sent["rationale"]
    assert not SheetLine.objects.exists()


def test_an_anchor_needs_a_reason_for_true_as_well_and_an_alignment_sheet_only_for_false(
    task, rival, scorer, desk, staff
):
    from judge.scoring.assignments.actions import assign_alignment_sheet

    sheet = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    first, second = lines_of(sheet)[:2]
    assert desk.post(line_url(sheet, first), {"met": "true", "rationale": ""}).status_code == 302
    assert desk.post(line_url(sheet, second), {"met": "false", "rationale": ""}).status_code == 400


def test_what_is_typed_is_saved_before_it_is_finished(sheet, desk):
    line = lines_of(sheet)[0]
    sent = {"met": "", "rationale": "> EUR 134.4 million", "version": "0"}
    answer = desk.post(line_url(sheet, line), sent, headers=AUTOSAVE)
    assert answer.status_code == 200
    version = answer.json()["version"]
    assert set(answer.json()) == {"saved_at", "version"}
    sent |= {"met": "true", "version": version}
    assert desk.post(line_url(sheet, line), sent, headers=AUTOSAVE).status_code == 200
    kept = SheetLine.objects.get()
    assert (kept.met, kept.rationale) == (True, "> EUR 134.4 million")


def test_a_reason_in_which_nothing_can_be_seen_is_none_however_it_was_saved(sheet, desk):
    for line in lines_of(sheet):
        sent = {"met": "true", "rationale": "\u200b \u2060"}
        assert desk.post(line_url(sheet, line), sent, headers=AUTOSAVE).status_code == 200
    answer = desk.post(reverse("sheet-submit", args=[sheet.pk]), {})
    assert answer.status_code == 400
    sheet.refresh_from_db()
    assert sheet.state == "open"


def test_a_save_from_an_older_tab_is_answered_with_both_texts(sheet, desk):
    url = line_url(sheet, lines_of(sheet)[0])
    desk.post(url, {"met": "true", "rationale": "Mine.", "version": "0"}, headers=AUTOSAVE)
    answer = desk.post(
        url, {"met": "false", "rationale": "Older.", "version": "0"}, headers=AUTOSAVE
    )
    assert answer.status_code == 409
    body = answer.json()
    assert body["code"] == "stale"
    assert body["theirs"] == {"met": "true", "rationale": "Mine."}
    assert body["yours"] == {"met": "false", "rationale": "Older."}
    assert SheetLine.objects.get().rationale == "Mine."
    # Saved again on top of what the person has now seen:
    sent = {"met": "false", "rationale": "Both.", "version": body["version"]}
    assert desk.post(url, sent, headers=AUTOSAVE).status_code == 200


def test_the_same_text_from_two_tabs_is_no_conflict(sheet, desk):
    url = line_url(sheet, lines_of(sheet)[0])
    for _tab in range(2):
        sent = {"met": "true", "rationale": "Same.", "version": "0"}
        assert desk.post(url, sent, headers=AUTOSAVE).status_code == 200


def test_a_line_of_another_rubric_is_not_found(sheet, desk, approve):
    other = approve(title="Another task").rubric_versions.exclude(origin="draft").get()
    foreign = other.criteria.first()
    assert desk.post(line_url(sheet, foreign), {"met": "true"}).status_code == 404


# --- submitting ---------------------------------------------------------------------------------
def test_an_incomplete_sheet_is_refused_and_shows_the_first_open_line(sheet, desk):
    lines = lines_of(sheet)
    desk.post(line_url(sheet, lines[0]), {"met": "true", "rationale": "Yes."})
    desk.post(line_url(sheet, lines[1]), {"met": "true", "rationale": ""}, headers=AUTOSAVE)
    response = desk.post(reverse("sheet-submit", args=[sheet.pk]))
    assert response.status_code == 400
    assert response.context["current"].pk == lines[1].pk
    assert "14 lines are not finished" in response.content.decode()
    sheet.refresh_from_db()
    assert sheet.state == "open"


def test_a_complete_sheet_goes_to_a_senior_with_its_lines_on_record(sheet, anchor, desk, scorer):
    for line in lines_of(sheet):
        desk.post(line_url(sheet, line), {"met": "true", "rationale": f"See {line.key}."})
    response = desk.post(reverse("sheet-submit", args=[sheet.pk]), follow=True)
    assert "A senior checks it next" in response.content.decode()
    anchor.refresh_from_db()
    assert anchor.stage == "meta_evaluation"
    event = anchor.history.last()
    assert event.actor == scorer
    assert len(event.data["lines"]) == LINES


def test_lines_that_were_still_unsaved_are_submitted_along(sheet, desk, scorer):
    lines = lines_of(sheet)
    for line in lines[:-1]:
        desk.post(line_url(sheet, line), {"met": "true", "rationale": "Yes."})
    pending = [{"line": str(lines[-1].pk), "met": "false", "rationale": "No.", "version": "0"}]
    url = reverse("sheet-submit", args=[sheet.pk])
    assert desk.post(url, {"pending": json.dumps(pending)}).status_code == 302
    assert SheetLine.objects.get(criterion=lines[-1]).rationale == "No."


@pytest.mark.parametrize(
    "pending",
    [
        "[",
        "{}",
        '[{"line": "x"}]',
        "[1]",
        '"' * 9,
        '[{"line": "%s"}]' % ("9" * 4_400),
        "[" * 100_000,
    ],
)
def test_a_broken_list_of_unsaved_lines_does_no_harm(submitted, pending, desk, sheet):
    url = reverse("sheet-submit", args=[sheet.pk])
    assert desk.post(url, {"pending": pending}).status_code == 409


def test_a_sheet_is_submitted_once_and_then_closed(submitted, sheet, desk):
    assert desk.post(reverse("sheet-submit", args=[sheet.pk])).status_code == 409
    line = lines_of(sheet)[0]
    sent = {"met": "true", "rationale": "Later."}
    assert desk.post(line_url(sheet, line), sent).status_code == 409
    answer = desk.post(line_url(sheet, line), sent, headers=AUTOSAVE)
    assert (answer.status_code, answer.json()["code"]) == (409, "submitted")
    html = one_line(desk.get(reverse("sheet", args=[sheet.pk])).content.decode())
    assert '<form method="post" action="/sheets/' not in html
    assert "Paragraph 3 says so." in html


def test_filling_a_sheet_at_once_keeps_the_rules(sheet, scorer):
    from curation.base.web.refusals import BadInput

    some = dict(list(verdicts(sheet).items())[:3])
    for wrong, code in (
        (some, "lines_open"),
        ({"c99": (True, "x")}, "unknown_lines"),
        ({next(iter(some)): (True, "")}, "bad_input"),
    ):
        with pytest.raises(BadInput) as refusal:
            fill_sheet(actor=scorer, sheet=sheet, verdicts=wrong)
        assert refusal.value.code == code
    assert not SheetLine.objects.exists()


# --- handing back -------------------------------------------------------------------------------
def test_a_sheet_handed_back_is_free_for_a_colleague_and_its_lines_stay_on_record(
    sheet, anchor, desk, scorer, person, finance, sign_in
):
    first = lines_of(sheet)[0]
    desk.post(line_url(sheet, first), {"met": "true", "rationale": "Yes."})
    url = reverse("sheet-hand-back", args=[sheet.pk])
    assert desk.get(url).status_code == 200
    assert desk.post(url, {"reason": " "}).status_code == 400
    assert desk.post(url, {"reason": "I know the author."}).status_code == 302
    event = anchor.history.last()
    assert event.data["lines"] == {first.key: [True, "Yes."]}
    assert event.reason == "I know the author."
    assert desk.post(reverse("sheet-take", args=[anchor.pk])).status_code == 302  # may think again
    desk.post(reverse("sheet-hand-back", args=[Sheet.objects.get().pk]), {"reason": "No."})
    late = sign_in(person("late", finance))
    assert late.post(reverse("sheet-take", args=[anchor.pk])).status_code == 302


def test_a_submitted_sheet_cannot_be_handed_back(submitted, desk):
    url = reverse("sheet-hand-back", args=[submitted.pk])
    assert desk.get(url).status_code == 409
    assert desk.post(url, {"reason": "Too late."}).status_code == 409
