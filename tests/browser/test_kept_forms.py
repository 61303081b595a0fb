"""Forms with a long text sent in one go: what was typed outlives leaving and signing out."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

from curation.people.models import User
from curation.questions.models import AskedQuestion
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)

ASK = "/questions/about-a-rule/"
WORDS = "May a line of the rubric name a range, or must it name one number?"
BOX = "[name=text]"
OFFER = "Text you typed on"
USE = "Use the text kept in this browser"


@pytest.fixture
def ana(desk: Callable[..., Desk], author: User) -> Desk:
    window = desk(author.email)
    window.open(ASK)
    return window


def is_offered(ana: Desk) -> None:
    """The text is offered, and a press brings it back."""
    ana.reads(OFFER)
    assert ana.page.locator(BOX).input_value() == ""
    ana.click(USE)
    assert ana.page.locator(BOX).input_value() == WORDS


def nothing_is_offered(ana: Desk) -> None:
    ana.open(ASK)
    ana.page.wait_for_load_state("load")
    assert ana.page.get_by_text(OFFER).count() == 0
    assert ana.page.locator(BOX).input_value() == ""


def send(ana: Desk) -> None:
    page = ana.page
    page.get_by_role("button", name="Send the question").click()


def test_a_text_is_there_after_another_page_and_gone_once_it_was_sent(ana: Desk) -> None:
    ana.page.locator(BOX).fill(WORDS)
    ana.open("/")
    ana.open(ASK)
    is_offered(ana)
    ana.page.locator("[name=rule]").select_option(index=1)
    with ana.page.expect_navigation():
        send(ana)
    ana.reads(WORDS)
    assert AskedQuestion.objects.count() == 1
    nothing_is_offered(ana)


def test_a_text_that_was_typed_away_again_is_not_offered(ana: Desk) -> None:
    ana.page.locator(BOX).fill(WORDS)
    ana.page.locator(BOX).fill("")
    nothing_is_offered(ana)


def test_a_text_sent_after_the_session_ended_is_there_after_signing_in(
    ana: Desk, author: User
) -> None:
    ana.page.locator(BOX).fill(WORDS)
    ana.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    with ana.page.expect_navigation():
        send(ana)
    ana.let_in(author.email)
    ana.open(ASK)
    is_offered(ana)
    assert not AskedQuestion.objects.exists()


def test_a_text_that_was_refused_is_there_after_another_page(ana: Desk) -> None:
    """The page of a refusal shows the text, but the server does not have it."""
    ana.page.locator(BOX).fill(WORDS)
    ana.page.locator("[name=rule]").evaluate("box => { box.value = '' }")
    with ana.page.expect_navigation():
        send(ana)
    assert ana.page.locator(BOX).input_value() == WORDS
    ana.problems.clear()  # the browser logs a refused form
    ana.open("/")
    ana.open(ASK)
    is_offered(ana)


def test_a_discarded_text_can_be_brought_back(ana: Desk) -> None:
    ana.page.locator(BOX).fill(WORDS)
    ana.open(ASK)
    ana.click("Discard it")
    ana.page.locator("#toasts").get_by_role("button", name="Undo").click()
    is_offered(ana)


def test_nobody_else_in_the_same_browser_is_offered_the_text(ana: Desk, peer: Any) -> None:
    ana.page.locator(BOX).fill(WORDS)
    ana.let_in(peer.email)
    nothing_is_offered(ana)
