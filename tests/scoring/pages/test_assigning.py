"""Staff choose who scores which responses, see what everybody has to do, and take back what is
stuck."""

import re
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.tasks.task.models import TaskEvent
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.assignments.queries import candidates_for_scoring, drawn
from judge.scoring.sheets.actions import fill_sheet, keep_line
from judge.scoring.sheets.models import Sheet
from review.conflicts.models import ConflictOfInterest
from tests.markup import one_line
from tests.scoring.pages.conftest import verdicts

pytestmark = pytest.mark.django_db
URL = "/staff/alignment/sheets/"


def respond(task: Any, *names: str) -> list[Response]:
    return [
        Response.objects.create(
            key=f"{task.key}-{name}",
            task=task,
            candidate=families.candidate_named(name),
            text="I recommend to refuse.",
            source=Response.Source.IMPORTED,
        )
        for name in names
    ]


def offered(html: str) -> dict[str, str]:
    """The people of the first task's choice, by id, as the page names them."""
    choice = one_line(html).split('<select name="scorer-')[1].split("</select>")[0]
    return dict(re.findall(r'value="(\d+)"[^>]*>([^<]+)<', choice))


def test_staff_see_who_may_score_with_their_load_and_assign(
    task, rival, scorer, checker, anchor, office, sign_in
):
    page = office.get(URL).content.decode()
    assert offered(page) == {str(scorer.pk): "Scorer · 0", str(checker.pk): "Checker · 0"}
    sent = {"response": rival.pk, "offered": rival.pk, f"scorer-{task.pk}": scorer.pk}
    done = office.post(URL, sent, follow=True)
    assert "1 sheet is assigned." in done.content.decode()
    sheet = Sheet.objects.get(user=scorer, response=rival)
    assert (sheet.purpose, sheet.state) == ("alignment", "open")
    page = office.get(f"{URL}?task={task.key}").content.decode()
    assert offered(page) == {str(checker.pk): "Checker · 0"}
    assert "No response is waiting" in office.get(URL).content.decode()
    event = TaskEvent.objects.get(task=task, data__event="sheet_assigned")
    assert event.data["scorer"] == scorer.pk
    assert "Score the 15 lines" in sign_in(scorer).get("/").content.decode()


def test_nobody_is_offered_who_must_not_score(
    task, rival, scorer, checker, sheet, author, person, finance, law, office
):
    """The anchor's scorer, everybody with another seat, ties to the author, other domains."""
    friend = person("friend", finance)
    ConflictOfInterest.objects.create(one=author, other=friend, kind="coauthor", declared_by=author)
    person("lawyer", law)
    people = offered(office.get(URL).content.decode())
    assert list(people.values()) == ["Checker · 0"]
    for refused in (friend, scorer, author):
        sent = {"response": rival.pk, "offered": rival.pk, f"scorer-{task.pk}": refused.pk}
        answer = office.post(URL, sent)
        assert answer.status_code == 400
        assert f"scorer-{task.pk}-error" in answer.content.decode()
    assert not Sheet.objects.filter(purpose="alignment").exists()


def test_all_are_assigned_or_none(approve, scorer, office):
    first, second = approve(title="One"), approve(title="Two")
    rows = [*respond(first, "ada", "bea"), *respond(second, "ada")]
    sent = {
        "response": [row.pk for row in rows],
        "offered": [row.pk for row in rows],
        f"scorer-{first.pk}": scorer.pk,
        f"scorer-{second.pk}": "",
    }
    answer = office.post(URL, sent)
    assert answer.status_code == 400
    assert "Choose who scores these responses." in answer.content.decode()
    assert not Sheet.objects.exists()
    assert office.post(URL, {}).status_code == 400
    assert office.post(URL, sent | {f"scorer-{second.pk}": scorer.pk}).status_code == 302
    assert Sheet.objects.filter(user=scorer).count() == 3


def test_a_draw_is_seeded_balanced_and_takes_whole_tasks(approve, scorer, finance):
    tasks = [approve(title=f"Case {n}") for n in range(4)]
    for task in tasks:
        respond(task, "ada", "bea", "cyd")
    found = candidates_for_scoring()
    chosen = drawn(found, 6, 7)
    assert chosen == drawn(found, 6, 7)
    assert set(Counter(one.task for one in chosen).values()) == {3}
    assert set(Counter(one.candidate for one in chosen).values()) == {2}
    assert len({drawn(found, 3, seed) for seed in range(20)}) > 1
    assert [len(drawn(found, size, 1)) for size in (1, 12, 100)] == [1, 12, 12]


def test_a_response_scored_by_the_current_rubric_is_not_drawn_again(task, rival, scorer, staff):
    sheet = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))
    assert [one.sheets for one in candidates_for_scoring()] == [1]
    assert drawn(candidates_for_scoring(), 5, 1) == ()
    assert candidates_for_scoring(candidate="nobody") == ()
    assert len(candidates_for_scoring(domain="finance", task=task.key)) == 1


def test_the_page_costs_a_fixed_number_of_queries(
    approve, scorer, office, django_assert_max_num_queries
):
    for n in range(5):
        respond(approve(title=f"Case {n}"), "ada", "bea")
    office.get(URL)
    with django_assert_max_num_queries(27):
        office.get(URL)


# --- taking back ---------------------------------------------------------------------------------
def test_the_twenty_open_sheets_due_first_stand_below_the_draw_and_the_others_on_demand(
    task, rival, person, finance, office
):
    people = [person(f"scorer-{n}", finance) for n in range(22)]
    due = [None, *(timezone.now() + timedelta(days=n) for n in range(21))]
    Sheet.objects.bulk_create(
        Sheet(
            response=rival, version=task.rubric_versions.last(), kind="expert",
            purpose="alignment", rater=f"expert-{one.pk}", user=one, due_at=at,
        )
        for one, at in zip(people, due, strict=True)
    )  # fmt: skip
    listed = [
        [one.pk for one in people if f'<td data-label="Scorer">{one.display_name}</td>' in page]
        for page in (office.get(at).content.decode() for at in (URL, f"{URL}?open=all"))
    ]
    assert listed == [[one.pk for one in people[1:21]], [one.pk for one in people]]
    assert "Show all open sheets" in office.get(URL).content.decode()
    assert "Show all open sheets" not in office.get(f"{URL}?open=all").content.decode()


def test_staff_take_an_open_sheet_back_and_what_was_scored_stays_on_record(
    task, rival, scorer, staff, office
):
    sheet = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    line = sheet.version.criteria.first()
    keep_line(actor=scorer, sheet=sheet, criterion=line.pk, met=False, rationale="Half said.")
    url = reverse("staff-sheet-release", args=[sheet.pk])
    assert url in office.get(URL).content.decode()
    assert office.get(url).status_code == 200
    assert office.post(url, {"reason": " "}).status_code == 400
    assert office.post(url, {"reason": "On leave."}).status_code == 302
    assert not Sheet.objects.filter(pk=sheet.pk).exists()
    event = TaskEvent.objects.get(task=task, data__event="sheet_handed_back")
    assert (event.actor, event.reason) == (staff, "On leave.")
    assert event.data["lines"] == {line.key: [False, "Half said."]}
    assert office.post(url, {"reason": "Again."}).status_code == 404
    page = office.get(reverse("staff-task", args=[task.pk])).content.decode()
    assert "was handed back" in page


def test_staff_take_an_anchors_sheet_back_to_the_pool(anchor, sheet, office, person, finance):
    url = reverse("staff-sheet-release", args=[sheet.pk])
    assert office.post(url, {"reason": "No answer for weeks."}).status_code == 302
    assert anchor.history.last().data["event"] == "handed_back"
    from judge.scoring.pages.queue import pool

    assert list(pool(person("colleague", finance))) == [anchor]


def test_a_submitted_sheet_is_not_taken_back(submitted, office):
    url = reverse("staff-sheet-release", args=[submitted.pk])
    assert office.get(url).status_code == 409
    assert office.post(url, {"reason": "Too late."}).status_code == 409


def test_staff_take_a_check_back_and_another_senior_takes_it(
    check: MetaEvaluation, anchor: Anchor, high_desk, office, person, finance, sign_in, scorer
):
    high_desk.post(
        reverse("meta", args=[anchor.pk]),
        {"remarks": "So far fine.", "version": "1"},
        headers={"X-Autosave": "1"},
    )
    url = reverse("staff-check-release", args=[check.pk])
    assert url in office.get(reverse("staff-task", args=[anchor.task_id])).content.decode()
    assert office.post(url, {"reason": ""}).status_code == 400
    assert office.post(url, {"reason": "On leave."}).status_code == 302
    event = anchor.history.last()
    assert event.data["draft"]["remarks"] == "So far fine."
    assert high_desk.get(reverse("meta", args=[anchor.pk])).status_code == 409
    other = sign_in(person("other", finance, senior=True))
    assert other.post(reverse("meta-take", args=[anchor.pk])).status_code == 302
    assert MetaEvaluation.objects.get(anchor=anchor).number == 1


def test_taking_back_is_for_staff(sheet, desk, high_desk, rival, task, scorer):
    for browser in (desk, high_desk):
        url = reverse("staff-sheet-release", args=[sheet.pk])
        assert browser.post(url, {"reason": "Mine."}).status_code == 403
        assert browser.get(URL).status_code == 403
        sent = {"response": rival.pk, f"scorer-{task.pk}": scorer.pk}
        assert browser.post(URL, sent).status_code == 403
    assert Sheet.objects.filter(pk=sheet.pk).exists()


def test_a_scorer_hands_a_candidates_sheet_back_to_the_staff(rival, scorer, staff, desk, task):
    sheet = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    url = reverse("sheet-hand-back", args=[sheet.pk])
    assert url in desk.get(reverse("sheet", args=[sheet.pk])).content.decode()
    done = desk.post(url, {"reason": "I know the author."}, follow=True)
    assert "The staff see that the response needs a scorer." in done.content.decode()
    assert not Sheet.objects.exists()
    assert TaskEvent.objects.get(task=task, data__event="sheet_handed_back").actor == scorer
