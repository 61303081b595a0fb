"""A reviewer with the keyboard: a request never ends as an approval, and nothing typed is lost."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, LineReview, Review, Suggestion
from rubrics.sending.actions import send_to_review
from tests.browser.rubric_day import at, on
from tests.review.steps import approve_all, finish, lines, request_change
from tests.rubrics.walk import to_refining

pytestmark = pytest.mark.django_db(transaction=True)
BOX = "#remark"
QUESTION = "[data-unsent]"


@pytest.fixture
def task(author: User, peer: User, person: Any, finance: Domain) -> Task:
    return to_refining(author, person("screener", finance), finance, lines=15)


@pytest.fixture
def review(task: Task, author: User, peer: User) -> Review:
    send_to_review(actor=author, task=task)
    return Review.objects.get(task=task, reviewer=peer)


@pytest.fixture
def ben(desk: Any, peer: User, review: Review) -> Any:
    """The reviewer, at the first line."""
    ben = desk(peer.email)
    ben.open(f"/reviews/{review.pk}/")
    sees(ben, on(1))
    return ben


def sees(ben: Any, sign: str) -> None:
    ben.page.wait_for_function(f"() => !!({sign})")


def focus(ben: Any) -> str:
    return str(ben.page.evaluate("() => document.activeElement.id"))


def verdicts() -> dict[int, str]:
    return dict(LineReview.objects.values_list("criterion", "verdict"))


def test_r_words_and_ctrl_enter_make_a_request(ben: Any, review: Review) -> None:
    first = lines(review)[0]
    ben.press("r")
    assert focus(ben) == "remark"
    ben.page.keyboard.type("a name, please")  # a, n and e are keys outside of the box
    ben.press("Control+Enter")
    sees(ben, on(2))
    assert verdicts() == {first.pk: "change"}
    assert LineReview.objects.get().aspect == ""
    assert Comment.objects.get().text == "a name, please"


def test_a_remark_that_was_written_goes_with_the_request_at_one_press(
    ben: Any, review: Review
) -> None:
    first = lines(review)[0]
    ben.press("c")
    ben.page.keyboard.type("Which quarter?")
    assert ben.page.locator("#aspect-none").is_visible()  # what the change is about can be said
    ben.press("Escape", "r")
    sees(ben, on(2))
    assert verdicts() == {first.pk: "change"}
    assert Comment.objects.get().text == "Which quarter?"


def test_a_request_suggests_nothing_that_was_not_written(ben: Any, review: Review) -> None:
    _first, second, *_rest = lines(review)
    ben.press("a")
    sees(ben, on(2))
    assert ben.page.locator("#suggest-text").input_value() == second.text
    ben.press("r")
    ben.page.keyboard.type("Which quarter?")
    ben.press("Control+Enter")
    sees(ben, on(3))
    assert verdicts()[second.pk] == "change"
    assert not Suggestion.objects.exists()


def test_an_empty_request_is_refused_and_the_caret_stays_in_the_box(
    ben: Any, review: Review
) -> None:
    ben.press("r", "Control+Enter")
    ben.reads("Say what should change, so that the author can answer.")
    assert focus(ben) == "remark"
    ben.press("a")
    assert ben.page.locator(BOX).input_value() == "a"
    assert verdicts() == {}


def test_a_with_unsent_words_asks_and_each_answer_does_what_it_says(
    ben: Any, review: Review
) -> None:
    first, second, *_rest = lines(review)
    ben.press("r")
    ben.page.keyboard.type("Which quarter?")
    ben.press("Escape", "a", "a", "a")  # however often it is pressed
    ben.reads("You wrote a request. Approve anyway?")
    assert verdicts() == {}
    ben.press("Escape")
    ben.page.locator(QUESTION).wait_for(state="hidden")
    assert focus(ben) == "remark"
    assert ben.page.locator(BOX).input_value() == "Which quarter?"

    ben.press("Escape", "a", "Enter")  # what is offered first sends the request
    sees(ben, on(2))
    assert verdicts() == {first.pk: "change"}

    ben.press("c")
    ben.page.keyboard.type("Rounded, but fine.")
    ben.press("Escape", "a")
    ben.reads("You wrote a remark. Approve the line with it?")
    ben.press("y")
    sees(ben, on(3))
    assert verdicts() == {first.pk: "change", second.pk: "approve"}
    folded = ben.page.locator(f"#line-{second.pk} .line-sub", has_text="Remark:")
    assert folded.is_visible()
    assert "Rounded, but fine." in folded.inner_text()


def test_a_wording_that_was_not_sent_is_asked_about_and_kept(ben: Any, review: Review) -> None:
    first = lines(review)[0]
    ben.press("w")
    ben.page.locator("#suggest-text:focus").wait_for()
    ben.press("Control+a")
    ben.page.keyboard.type("States net debt in EUR.")
    ben.press("Escape", "a")
    ben.reads("You wrote a request. Approve anyway?", "Your wording is then not sent.")
    ben.press("y")
    sees(ben, on(2))
    assert verdicts() == {first.pk: "approve"}
    assert not Suggestion.objects.exists()
    ben.press("u")  # the approval is taken back: the wording is still there to be sent
    sees(ben, on(1))
    assert ben.page.locator("#suggest-text").input_value() == "States net debt in EUR."


def test_the_small_button_of_a_folded_line_asks_as_well(ben: Any, review: Review) -> None:
    first = lines(review)[0]
    ben.press("r")
    ben.page.keyboard.type("Which quarter?")
    ben.press("Escape", "j")
    sees(ben, on(2))
    ben.page.locator(f"#line-{first.pk} .quick button").click()
    ben.reads("You wrote a request. Approve anyway?")
    sees(ben, on(1))
    assert verdicts() == {}


def test_a_category_is_chosen_and_taken_back_by_its_key(ben: Any, review: Review) -> None:
    ben.press("r")
    ben.page.keyboard.type("Which quarter?")
    ben.press("Escape", "2")
    assert ben.page.locator("[name=aspect]:checked").input_value() == "clarity"
    ben.press("0")
    assert ben.page.locator("[name=aspect]:checked").input_value() == ""
    ben.press("3", "Control+Enter")
    sees(ben, on(2))
    assert LineReview.objects.get().aspect == "atomicity"


def test_a_round_is_not_finished_over_words_that_were_not_sent(
    ben: Any, review: Review, sign_in: Any, peer: User
) -> None:
    approve_all(sign_in(peer), review)
    first, second, *_rest = lines(review)
    ben.open(f"/reviews/{review.pk}/?line={second.pk}")
    sees(ben, f"{on(2)} && {at(2)}.dataset.state === 'approve'")
    ben.press("c")
    ben.page.keyboard.type("On second thoughts: which quarter?")
    ben.press("Escape", "k", "Control+Shift+Enter")
    ben.reads("You wrote this and did not send it. Send it or delete it, then finish the round.")
    sees(ben, on(2))
    assert focus(ben) == "remark"
    assert review.rounds.get().finished_at is None
    ben.press("Control+Enter")
    sees(ben, f"{at(2)}.dataset.state === 'change'")
    with ben.page.expect_navigation():
        ben.press("Control+Shift+Enter")
    assert review.rounds.get().finished_at is not None
    assert verdicts()[second.pk] == "change"


def test_a_finished_round_offers_neither_verdicts_nor_to_hand_it_back(
    desk: Any, review: Review, sign_in: Any, peer: User
) -> None:
    browser = sign_in(peer)
    offer = "Hand it back …"
    assert offer in browser.get(f"/reviews/{review.pk}/").content.decode()
    request_change(browser, review, lines(review)[0])
    approve_all(browser, review, but=1)
    finish(browser, review)
    ben = desk(peer.email, width=390)
    ben.open(f"/reviews/{review.pk}/")
    ben.reads("Round 1 is finished.")
    assert offer not in ben.page.inner_text("main")
