"""Forms with a long text sent in one go: what was typed outlives leaving and signing out."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

from curation.joining.people import User
from curation.telling.questions.models import AskedQuestion
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)

ASK = "/questions/about-a-rule/"
WORDS = "May a line of the rubric name a range, or must it name one number?"
BOX = "[name=text]"
RULE = "[name=rule]"
NOTE = "You typed this on"
OFFER = "Text you typed on"
USE = "Use the text kept in this browser"


@pytest.fixture
def ana(desk: Callable[..., Desk], author: User) -> Desk:
    window = desk(author.email)
    window.open(ASK)
    return window


def text(ana: Desk) -> str:
    return str(ana.page.locator(BOX).input_value())


def comes_back(ana: Desk) -> None:
    """The text is in its box again, with a note."""
    ana.open(ASK)
    ana.reads(NOTE)
    assert text(ana) == WORDS


def is_empty(ana: Desk) -> None:
    ana.open(ASK)
    ana.page.wait_for_load_state("load")
    assert ana.page.locator("[data-offer]").count() == 0
    assert text(ana) == ""


def send(ana: Desk) -> None:
    with ana.page.expect_navigation():
        ana.page.get_by_role("button", name="Send the question").click()


class TestAnEmptyForm:
    """What was typed is put back."""

    def test_a_text_is_there_after_another_page_and_gone_once_it_was_sent(self, ana: Desk) -> None:
        ana.page.locator(BOX).fill(WORDS)
        ana.page.locator(RULE).select_option(index=1)
        chosen = ana.page.locator(RULE).input_value()
        ana.open("/")
        comes_back(ana)
        assert ana.page.locator(RULE).input_value() == chosen
        send(ana)
        ana.reads(WORDS)
        assert AskedQuestion.objects.count() == 1
        is_empty(ana)

    def test_a_text_that_was_typed_away_again_is_not_kept(self, ana: Desk) -> None:
        ana.page.locator(BOX).fill(WORDS)
        ana.page.locator(BOX).fill("")
        is_empty(ana)

    def test_a_text_sent_after_the_session_ended_is_there_after_signing_in(
        self, ana: Desk, author: User
    ) -> None:
        ana.page.locator(BOX).fill(WORDS)
        ana.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
        send(ana)
        ana.let_in(author.email)
        comes_back(ana)
        assert not AskedQuestion.objects.exists()

    def test_a_text_that_was_refused_is_there_after_another_page(self, ana: Desk) -> None:
        """The page of a refusal shows the text, but the server does not have it."""
        ana.page.locator(BOX).fill(WORDS)
        ana.page.locator(RULE).evaluate("box => { box.value = '' }")
        send(ana)
        assert text(ana) == WORDS
        ana.page.locator(BOX).press("End")
        ana.press("x", "Backspace")
        ana.problems.clear()  # the browser logs a refused form
        ana.open("/")
        comes_back(ana)

    def test_a_text_whose_sending_failed_is_there_after_another_form_was_taken(
        self, ana: Desk, author: User
    ) -> None:
        """A redirect is no sign that this form arrived."""
        ana.page.locator(BOX).fill(WORDS)
        ana.context.set_offline(True)
        ana.page.get_by_role("button", name="Send the question").click()
        ana.page.wait_for_url("chrome-error:**")
        ana.context.set_offline(False)
        ana.problems.clear()
        ana.open("/preferences/")
        with ana.page.expect_navigation():
            ana.page.locator("main form button.btn-primary").first.click()
        comes_back(ana)

    def test_a_discarded_text_can_be_brought_back(self, ana: Desk) -> None:
        ana.page.locator(BOX).fill(WORDS)
        comes_back(ana)
        ana.click("Discard it")
        assert text(ana) == ""
        ana.page.locator("#toasts").get_by_role("button", name="Undo").click()
        assert text(ana) == WORDS
        comes_back(ana)
        ana.click("Discard it")
        is_empty(ana)

    def test_nobody_else_in_the_same_browser_sees_the_text(self, ana: Desk, peer: User) -> None:
        ana.page.locator(BOX).fill(WORDS)
        ana.let_in(peer.email)
        is_empty(ana)


class TestAFormWithAText:
    """What was typed is offered, and nothing that was typed elsewhere is replaced."""

    @pytest.fixture
    def page(self, desk: Callable[..., Desk], staff: User) -> Any:
        window = desk(staff.email)
        window.open("/staff/guidelines/programme/")
        window.page.locator(BOX).fill("One line, one fact.")
        window.page.get_by_role("button", name="Save the draft").click()
        window.page.locator(".toast").wait_for()
        window.page.locator(BOX).fill("One line, one fact, one number.")
        self.window = window
        return window.page

    def test_the_kept_text_stays_while_nobody_has_chosen(self, page: Any) -> None:
        page.reload()
        self.window.reads(OFFER)
        page.locator("[name=what_changed]").fill("The number.")
        page.reload()
        self.window.reads(OFFER)
        assert page.locator(BOX).input_value() == "One line, one fact."
        self.window.click(USE)
        assert page.locator(BOX).input_value() == "One line, one fact, one number."

    def test_hidden_fields_stay_those_of_the_page(self, page: Any) -> None:
        """The text that was kept can be sent, although somebody saved meanwhile."""
        hidden = page.locator("main form[data-keep] input[type=hidden]:not([name^=csrf])")
        before = hidden.evaluate_all("boxes => boxes.map(box => box.name)")
        assert before
        hidden.evaluate_all("boxes => boxes.forEach(box => { box.dataset.was = box.value })")
        page.locator(BOX).press("x")
        page.reload()
        hidden.evaluate_all("boxes => boxes.forEach(box => { box.value = '77' })")
        self.window.click(USE)
        assert set(hidden.evaluate_all("boxes => boxes.map(box => box.value)")) == {"77"}
