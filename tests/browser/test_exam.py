"""The exam with a connection that breaks, in two tabs, and by keyboard alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Error

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import start_sitting
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.models import ExamSitting
from tests.browser.axe import faults_on
from tests.qualifying.qualification.exams import stored

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sitting(applicant: User, finance: Domain) -> ExamSitting:
    exam = Exam.objects.create(domain=finance, title="Entry exam", minutes=30, shuffle=False)
    common = {"exam": exam, "topic": "Bonds"}
    Question.objects.create(
        key_id="q1", position=1, kind="single", text="Which?", options=["a", "b"], key=[1], **common
    )
    Question.objects.create(
        key_id="q2", position=2, kind="numeric", text="How much?", key={"value": "5"}, **common
    )
    Question.objects.create(
        key_id="q3", position=3, kind="ordering", text="In which order?",
        options=["second", "first", "third"], key=[1, 0, 2], **common,
    )  # fmt: skip
    Question.objects.create(
        key_id="q4", position=4, kind="short", text="Why?", key={"guide": "x"}, **common
    )
    application = Application.objects.create(
        user=applicant, domain=finance, affiliation="x", degree="x", years=4, credentials="x",
        stage="exam",
    )  # fmt: skip
    application.record_start(actor=applicant)
    sitting = start_sitting(actor=applicant, application=application)
    sitting.paper.filter(question__kind="ordering").update(order=[0, 1, 2])
    return sitting


def saves(desk: Any) -> Any:
    return desk.page.expect_response(lambda reply: reply.url.endswith("/save/"))


def forgive(desk: Any, *words: str) -> None:
    """Forget what the browser logs about answers that are no 200, where that is the test."""
    desk.problems[:] = [p for p in desk.problems if not any(word in p for word in words)]


def test_what_is_answered_offline_survives_a_closed_page_and_is_sent_when_the_line_is_back(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    address = f"/exams/{sitting.pk}/"
    ana.open(address)
    with saves(ana):
        ana.page.get_by_label("b", exact=True).check()
    ana.context.set_offline(True)
    ana.page.get_by_label("Your number").fill("4,5")
    ana.page.get_by_label("Your answer").fill("Because the yield rose.")
    ana.reads("You are offline.")
    ana.click("Hand in")
    ana.reads("so the exam cannot be handed in now")
    assert stored(sitting) == {"q1": [1]}
    # the page is closed and opened again: what was typed is there, and goes by itself
    again = ana.tab()
    ana.page.close()
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        again.goto(ana.url + address)
    ana.context.set_offline(False)
    # What the first page sent as it was closed may have arrived too: then nothing is left to send.
    again.goto(ana.url + address)
    again.wait_for_function(
        "() => Object.keys(localStorage).every(key => !key.startsWith('assay:exam:'))"
    )
    assert again.get_by_label("Your number").input_value() == "4,5"
    assert stored(sitting) == {"q1": [1], "q2": "4,5", "q4": "Because the yield rose."}
    forgive(ana, "ERR_INTERNET_DISCONNECTED")


def test_an_answer_given_while_the_page_still_loads_is_saved(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    held: list[Any] = []
    ana.page.route("**/exam.js", lambda route: held.append(route))  # a slow line
    with ana.page.expect_request("**/exam.js"):
        ana.page.goto(f"{ana.url}/exams/{sitting.pk}/", wait_until="commit")
    ana.page.get_by_label("b", exact=True).check()
    with saves(ana):
        for request in held:
            request.continue_()
    assert stored(sitting) == {"q1": [1]}


def test_an_order_is_made_and_handed_in_by_keyboard_alone(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    ana.open(f"/exams/{sitting.pk}/")
    grip = ana.page.get_by_role("button", name="Move: first")
    grip.focus()
    with saves(ana):
        ana.press("ArrowUp")
    assert stored(sitting) == {"q3": [1, 0, 2]}
    assert grip.evaluate("el => el === document.activeElement")
    ana.page.locator("#live-assertive").get_by_text("first: now at place 1 of 3").wait_for()
    with saves(ana):
        ana.press("End")
    assert stored(sitting) == {"q3": [0, 2, 1]}
    with saves(ana):
        ana.press("Home")
    assert stored(sitting) == {"q3": [1, 0, 2]}
    ana.page.keyboard.press("ArrowUp")  # it is the first already
    assert stored(sitting) == {"q3": [1, 0, 2]}
    ana.reads("1 of 4 answered")
    ana.press("Control+Shift+Enter")
    ana.reads("3 questions have no answer yet.")
    ana.click("Hand in as it is")
    forgive(ana, "status of 400")
    ana.reads("You reached 1 of 4 points")


def test_whoever_was_asked_hands_in_by_pressing_the_same_keys_again(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    ana.open(f"/exams/{sitting.pk}/")
    ana.press("Control+Shift+Enter")
    ana.reads("4 questions have no answer yet.")
    ana.press("Control+Shift+Enter")
    ana.reads("You reached 0 of 4 points")
    forgive(ana, "status of 400")


def test_a_confirmed_hand_in_that_found_no_line_is_tried_again_as_confirmed(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    ana.open(f"/exams/{sitting.pk}/")
    ana.click("Hand in")
    ana.reads("4 questions have no answer yet.")
    line = "is => Object.defineProperty(navigator, 'onLine', { get: () => is, configurable: true })"
    ana.page.evaluate(line, False)
    ana.click("Hand in as it is")
    ana.reads("so the exam cannot be handed in now")
    ana.page.evaluate(line, True)
    ana.click("Try again")
    ana.reads("You reached 0 of 4 points")
    forgive(ana, "status of 400")


def test_two_tabs_never_wipe_out_each_other(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    address = f"/exams/{sitting.pk}/"
    ana.open(address)
    other = ana.tab()
    other.goto(ana.url + address)
    with other.expect_response(lambda reply: reply.url.endswith("/save/")):
        other.get_by_label("Your number").fill("5")
    ana.page.bring_to_front()
    with saves(ana):
        ana.page.get_by_label("a", exact=True).check()
    ana.click("Hand in")
    ana.reads("2 questions have no answer yet.")
    assert stored(sitting) == {"q1": [0], "q2": "5"}
    forgive(ana, "status of 400")


def test_when_the_time_is_over_the_page_hands_in_by_itself(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ExamSitting.objects.filter(pk=sitting.pk).update(deadline=timezone.now() + timedelta(seconds=4))
    ana = desk(applicant.email)
    ana.open(f"/exams/{sitting.pk}/")
    ana.page.get_by_label("b", exact=True).check()
    ana.reads("You reached 1 of 4 points")
    assert stored(sitting) == {"q1": [1]}


def test_an_order_is_made_by_dragging_and_the_move_is_said(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    ana.open(f"/exams/{sitting.pk}/")
    page = ana.page
    grip = page.get_by_role("button", name="Move: first")
    grip.scroll_into_view_if_needed()
    assert page.locator("[data-item] > input").first.is_hidden()
    start, goal = grip.bounding_box(), page.locator("[data-item]").first.bounding_box()
    page.mouse.move(start["x"] + 20, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(start["x"] + 20, goal["y"] + 2, steps=8)
    with saves(ana):
        page.mouse.up()
    assert stored(sitting) == {"q3": [1, 0, 2]}
    page.locator("#live-assertive").get_by_text("first: now at place 1 of 3").wait_for()
    assert page.locator("[data-place]").all_inner_texts() == ["1", "2", "3"]
    assert not page.get_by_role("button", name="This order is right").is_visible()
    assert faults_on(page) == []


def test_a_drag_that_ends_above_another_part_of_the_page_ends_and_is_saved(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    ana.open(f"/exams/{sitting.pk}/")
    page = ana.page
    items = page.locator("[data-item]")
    grip = items.first.locator("[data-grip]")
    grip.scroll_into_view_if_needed()
    moved = items.first.inner_text()
    start = grip.bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(start["x"] + 10, 600, steps=8)
    page.mouse.move(5, 895, steps=4)  # below the paper, in the corner of the window
    with saves(ana):
        page.mouse.up()
    assert items.last.inner_text().split("\n")[-1] == moved.split("\n")[-1]
    assert page.locator("[data-place]").all_inner_texts() == ["1", "2", "3"]
    page.mouse.move(start["x"] + 10, start["y"], steps=4)
    assert page.locator("[data-item].is-dragged").count() == 0
    assert items.last.inner_text().split("\n")[-1] == moved.split("\n")[-1]


def test_an_order_that_is_right_as_it_stands_is_given_by_one_press(
    desk: Any, applicant: User, sitting: ExamSitting
) -> None:
    ana = desk(applicant.email)
    ana.open(f"/exams/{sitting.pk}/")
    assert ana.page.locator("[data-place]").all_inner_texts() == ["–", "–", "–"]
    with saves(ana):
        ana.click("This order is right")
    assert stored(sitting) == {"q3": [0, 1, 2]}


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_the_clock_is_in_sight_wherever_one_is_on_the_page(
    desk: Any, applicant: User, sitting: ExamSitting, size: tuple[int, int]
) -> None:
    width, height = size
    ana = desk(applicant.email, width=width, height=height)
    ana.open(f"/exams/{sitting.pk}/")
    left = ana.page.locator("[data-left]").filter(visible=True)
    left.get_by_text("30 min left").wait_for()
    for y in (0, 100_000):
        ana.page.evaluate("y => scrollTo(0, y)", y)
        box = left.bounding_box()
        assert 0 <= box["y"] < height - box["height"]
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    font = left.evaluate("el => parseFloat(getComputedStyle(el).fontSize)")
    assert font >= 16
