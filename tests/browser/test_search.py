"""The search box: a key opens it at once, nothing typed is lost, arrows and Enter lead on."""

from typing import Any

import pytest
from django.urls import reverse

from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tasks(author: Any, finance: Any) -> list[Task]:
    return [
        create_task(actor=author, domain=finance, title=title)
        for title in ("Lease of a shop", "Lease of a car", "Bridge to equity")
    ]


def chosen(page: Any) -> str:
    """The words of the option that the box points at."""
    name = page.locator("#search-q").get_attribute("aria-activedescendant")
    return page.locator(f"[id='{name}'] > span").inner_text() if name else ""


def test_a_slash_and_quick_fingers_lose_no_letter(desk: Any, staff: Any, tasks: Any) -> None:
    window = desk(staff.email)
    window.open("/")
    window.press("/")
    window.page.keyboard.type("lease")  # at once, without waiting for anything
    assert window.page.locator("#search-q").input_value() == "lease"
    window.press("Enter")
    window.page.wait_for_url("**/search/?q=lease")
    window.reads("Lease of a shop", "Lease of a car")
    # On the page of results the key leads to its own box, with the words chosen.
    window.press("/")
    window.page.keyboard.type("equity")
    window.press("Enter")
    window.page.wait_for_url("**/search/?q=equity")
    window.reads("Bridge to equity")


def test_arrows_choose_a_result_and_enter_opens_it(desk: Any, author: Any, tasks: Any) -> None:
    window = desk(author.email)
    page = window.page
    window.open("/")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    window.press("/")
    box = page.locator("#search-q")
    assert box.get_attribute("aria-expanded") == "false"
    page.keyboard.type("lease")
    page.locator("#search-list").wait_for()
    assert box.get_attribute("aria-expanded") == "true"
    assert box.bounding_box()["y"] >= 0
    window.press("ArrowDown")
    first = chosen(page)
    window.press("ArrowDown")
    second = chosen(page)
    assert {first, second} == {"Lease of a shop", "Lease of a car"}
    assert page.locator("[role=option][aria-selected=true]").count() == 1
    window.press("ArrowUp")
    assert chosen(page) == first
    window.press("ArrowUp")
    assert page.locator("#search-all[aria-selected=true]").count() == 1  # round to the last
    window.press("ArrowDown", "Enter")
    task = next(task for task in tasks if task.title == first)
    page.wait_for_url(f"**{reverse('task', args=[task.pk])}")


def test_escape_gives_the_focus_back_and_a_click_elsewhere_closes(
    desk: Any, staff: Any, tasks: Any
) -> None:
    window = desk(staff.email)
    page = window.page
    window.open(reverse("staff-tasks"))
    link = page.get_by_role("link", name="Lease of a car")
    link.focus()
    window.press("/")
    page.keyboard.type("nothing like it")
    window.reads("Nothing found for “nothing like it”.")
    window.press("Escape")
    assert not page.locator("#search-box").is_visible()
    assert link.evaluate("el => el === document.activeElement")
    window.press("/")
    page.locator("h1").click()
    assert not page.locator("#search-box").is_visible()
    # A slash typed into a box is a slash.
    page.locator("main input[type=search]").fill("")
    page.locator("main input[type=search]").press("/")
    assert page.locator("main input[type=search]").input_value() == "/"


def test_a_phone_reaches_the_search_with_a_finger(desk: Any, staff: Any, tasks: Any) -> None:
    window = desk(staff.email, width=390, height=844)
    page = window.page
    window.open("/")
    opener = page.locator("#search-open")
    assert opener.bounding_box()["x"] + opener.bounding_box()["width"] <= 390
    opener.click()
    page.keyboard.type("bridge")
    page.get_by_role("option", name="Bridge to equity").click()
    page.wait_for_url(f"**{reverse('staff-task', args=[tasks[2].pk])}")


def test_a_list_that_comes_late_never_replaces_a_newer_one(
    desk: Any, staff: Any, tasks: Any
) -> None:
    window = desk(staff.email)
    page = window.page
    held: list[Any] = []
    page.route("**/search/found/?q=lease", lambda route: held.append(route))
    window.open("/")
    window.press("/")
    with page.expect_request("**/search/found/?q=lease"):
        page.keyboard.type("lease")
    page.locator("#search-q").fill("equity")
    page.get_by_role("option", name="Bridge to equity").wait_for()
    for route in held:
        route.abort()
    assert page.get_by_role("option", name="Lease of a car").count() == 0


def test_a_call_is_copied_in_one_press_and_the_page_says_so(desk: Any, staff: Any) -> None:
    from judge.asking.calls import model_client as machine
    from judge.asking.calls.models import Call
    from judge.asking.prompts import builder
    from judge.asking.prompts.task_text import task_text
    from tests.runs.engine.factory import external_task

    task = external_task("one")
    machine.ask(
        machine.offline(), builder.answer_prompt(task_text(task)), purpose="answer", task=task
    )
    call = Call.objects.get()
    window = desk(staff.email)
    window.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=window.url)
    window.open(f"/staff/calls/{call.pk}/")
    for label, wanted in (
        ("Copy the prompt", "is for sale and its owner wants a price"),
        ("Copy the reply", "Company"),
    ):
        window.click(label)
        window.page.locator(".toast", has_text="Copied.").first.wait_for()
        copied = window.page.evaluate("navigator.clipboard.readText()")
        assert wanted in copied
    # Over plain http a browser has no clipboard to give: the old way has to do.
    window.page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})"
    )
    window.page.locator("summary", has_text="The request").click()
    window.page.locator(".toast").evaluate_all("toasts => toasts.forEach(el => el.remove())")
    window.click("Copy the request")
    window.page.locator(".toast", has_text="Copied.").wait_for()
