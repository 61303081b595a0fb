"""A page that stays open while its session ends, or while the server refuses one of its fields."""

from typing import Any

import pytest
from django.conf import settings

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task
from tests.browser.desk import status

pytestmark = pytest.mark.django_db(transaction=True)

SCENARIO = "#task-form [name=scenario]"


@pytest.fixture
def draft(author: User, finance: Domain) -> Task:
    return create_task(
        actor=author, domain=finance, title="Covenant headroom", scenario="The board meets."
    )


def write(page: Any, words: str) -> int:
    """Write into the scenario and leave it; returns the status of the save."""
    with page.expect_response(lambda r: r.url.endswith("/save/")) as answer:
        page.locator(SCENARIO).fill(words)
        page.locator(SCENARIO).blur()
    return status(answer.value)


def session_ends(desk: Any) -> None:
    desk.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def signs_in(desk: Any, email: str) -> None:
    """Sign in with the form, in a second tab, and come back."""
    first, desk.page = desk.page, desk.tab()
    desk.sign_in(email)
    desk.page.close()
    desk.page = first


def forgive(desk: Any, *statuses: int) -> None:
    """The browser logs a form that is refused; nothing else may have gone wrong."""
    refused = tuple(f"status of {status}" for status in statuses)
    desk.problems[:] = [p for p in desk.problems if not any(r in p for r in refused)]


def test_after_signing_in_again_in_another_tab_the_page_saves_what_was_typed_meanwhile(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    session_ends(ana)
    assert write(ana.page, "Typed after the session had ended.") == 401
    ana.reads("You were signed out.")
    link = ana.page.get_by_role("link", name="Sign in again")
    assert link.get_attribute("target") == "_blank"
    signs_in(ana, author.email)
    with ana.page.expect_response(
        lambda r: r.url.endswith("/save/") and status(r) == 200, timeout=10_000
    ):
        ana.page.locator(SCENARIO).click()
    ana.page.locator("#saving").wait_for(state="hidden")
    draft.refresh_from_db()
    assert draft.scenario == "Typed after the session had ended."


def test_after_signing_in_again_in_another_tab_the_page_can_be_submitted(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    session_ends(ana)
    signs_in(ana, author.email)
    with ana.page.expect_navigation():
        ana.click("Submit for screening")
    # The task is not complete: what the server says of it shows that it took the form.
    ana.page.locator("[data-error-summary]").wait_for()
    forgive(ana, 400)


def test_nothing_typed_by_one_person_is_saved_as_another_who_signs_in_in_the_same_browser(
    desk: Any, author: User, person: Any, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    session_ends(ana)
    signs_in(ana, person("somebody-else").email)
    ana.page.locator(SCENARIO).fill("Typed by Ana.")
    ana.page.locator(SCENARIO).blur()
    ana.reads("Somebody else is signed in with this browser now")
    draft.refresh_from_db()
    assert draft.scenario == "The board meets."


def test_one_refused_field_says_why_below_itself_and_the_others_are_saved(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    minutes = ana.page.get_by_label("Minutes a professional needs")
    minutes.fill("-4")
    with ana.page.expect_response(lambda r: r.url.endswith("/save/") and status(r) == 200):
        ana.page.locator(SCENARIO).fill("The board meets on Thursday.")
    ana.reads(
        "Give the time in whole minutes, from 1 to 10,000.",
        "Not saved: Minutes a professional needs",
    )
    assert minutes.get_attribute("aria-invalid") == "true"
    why = minutes.get_attribute("aria-errormessage")
    assert "whole minutes" in ana.page.locator(f"[id='{why}']").inner_text()
    draft.refresh_from_db()
    assert draft.scenario == "The board meets on Thursday."
    assert draft.minutes is None

    with ana.page.expect_response(lambda r: r.url.endswith("/save/") and status(r) == 200):
        minutes.fill("90")
    ana.page.locator("[data-fault]").wait_for(state="detached")
    assert minutes.get_attribute("aria-invalid") is None
    draft.refresh_from_db()
    assert draft.minutes == 90
