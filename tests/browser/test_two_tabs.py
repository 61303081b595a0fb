"""Two tabs on one task: three texts side by side, one choice for each field, nothing lost."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task
from tests.browser.axe import faults_on
from tests.browser.desk import status

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def draft(author: User, finance: Domain) -> Task:
    return create_task(
        actor=author, domain=finance, title="Covenant headroom", scenario="The board meets."
    )


@pytest.fixture
def tabs(desk: Any, author: User, draft: Task) -> tuple[Any, Any]:
    """The second tab was opened before the first one saved a title and a scenario."""
    ana = desk(author.email)
    one, two = ana.page, ana.tab()
    for tab in (one, two):
        tab.goto(f"{ana.url}/tasks/{draft.pk}/edit/")
    assert types(one, title="March", scenario="The first tab says March.") == 200
    ana.problems.clear()
    return ana, two


def types(tab: Any, **words: str) -> int:
    """Type into fields at one go; returns the status of the save."""

    def is_save(answer: Any) -> bool:
        return "/save/" in answer.url

    with tab.expect_response(is_save) as answer:
        tab.evaluate(
            """(words) => {
              for (const [name, text] of Object.entries(words)) {
                const box = document.querySelector(`[name=${name}]`);
                box.value = text;
                box.dispatchEvent(new Event("input", { bubbles: true }));
              }
            }""",
            words,
        )
    return status(answer.value)


def test_each_field_has_three_texts_and_its_own_choice(tabs: Any, draft: Task) -> None:
    _ana, two = tabs
    was = draft.scenario
    assert types(two, scenario="The second tab says June.", materials="More of June.") == 409
    dialog = two.get_by_role("dialog", name="This text changed while you were writing")
    dialog.wait_for()
    said = dialog.locator("[data-conflict-said]").inner_text()
    assert "choose for each field; nothing is saved until you do." in said
    assert said.count(".") == 1  # one sentence
    fields = dialog.locator("[data-conflict-field]")
    assert fields.count() == 3
    by_name = {
        name: dialog.locator(f'[data-conflict-field]:has(input[name="conflict-of-{name}"])')
        for name in ("title", "scenario", "materials")
    }
    scenario = by_name["scenario"]
    assert "June" in scenario.locator("[data-conflict-mine]").inner_text()
    assert "March" in scenario.locator("[data-conflict-theirs]").inner_text()
    assert was in scenario.locator("[data-conflict-before]").inner_text()
    assert faults_on(two) == []

    # What only one tab changed holds as it was changed; the scenario is chosen.
    assert by_name["title"].locator("input:checked").get_attribute("value") == "theirs"
    assert by_name["materials"].locator("input:checked").get_attribute("value") == "mine"
    scenario.get_by_label("The saved version").check()
    with two.expect_response(lambda answer: "/save/" in answer.url) as answer:
        two.keyboard.press("Control+Enter")
    assert status(answer.value) == 200
    draft.refresh_from_db()
    assert (draft.title, draft.scenario) == ("March", "The first tab says March.")
    assert draft.materials == "More of June."

    # The text that was not chosen comes back by one press.
    with two.expect_response(lambda answer: "/save/" in answer.url) as answer:
        two.locator("#toasts").get_by_role("button", name="Undo").click()
    assert status(answer.value) == 200
    draft.refresh_from_db()
    assert draft.scenario == "The second tab says June."


def test_a_text_that_this_tab_saved_before_is_saved_again_when_it_is_chosen(
    tabs: Any, draft: Task
) -> None:
    """What is chosen is what this tab saved last, which is no longer what the server has."""
    ana, two = tabs
    one = ana.page
    two.reload()
    assert types(two, materials="June.", requirements="July.") == 200
    one.reload()
    assert types(one, requirements="July, too.") == 200
    assert types(two, materials="More of June.") == 409
    dialog = two.get_by_role("dialog", name="This text changed while you were writing")
    dialog.wait_for()
    for name, side in (("materials", "theirs"), ("requirements", "mine")):
        dialog.locator(f'input[name="conflict-of-{name}"][value="{side}"]').check()
    with two.expect_response(lambda answer: "/save/" in answer.url) as answer:
        two.keyboard.press("Control+Enter")
    assert status(answer.value) == 200
    draft.refresh_from_db()
    assert (draft.materials, draft.requirements) == ("June.", "July.")
    ana.problems.clear()


def test_nothing_is_saved_while_nothing_is_chosen(tabs: Any, draft: Task) -> None:
    ana, two = tabs
    assert types(two, scenario="The second tab says June.") == 409
    dialog = two.get_by_role("dialog", name="This text changed while you were writing")
    dialog.wait_for()
    two.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    draft.refresh_from_db()
    assert draft.scenario == "The first tab says March."
    assert two.locator("[name=scenario]").input_value() == "The second tab says June."
    ana.problems.clear()


def test_nobody_is_interrupted_while_typing(tabs: Any, draft: Task) -> None:
    """The question waits until the field is left, and no key meant for the form answers it."""
    ana, two = tabs
    box = two.locator("[name=scenario]")
    box.click()
    with two.expect_response(lambda answer: "/save/" in answer.url) as answer:
        two.keyboard.type("In June ")
    assert status(answer.value) == 409
    dialog = two.get_by_role("dialog", name="This text changed while you were writing")
    two.locator("#saving").get_by_text("Two versions: choose one").wait_for()
    two.keyboard.type("the covenant is tested.")
    assert dialog.count() == 0
    assert "In June the covenant is tested." in box.input_value()
    two.keyboard.press("Tab")
    two.locator("body").click(position={"x": 2, "y": 2})
    dialog.wait_for()
    two.keyboard.press("Control+Enter")
    assert dialog.is_visible()
    mine = dialog.locator('[data-conflict-field]:has(input[name="conflict-of-scenario"])')
    assert "In June the covenant is tested." in mine.locator("[data-conflict-mine]").inner_text()
    draft.refresh_from_db()
    assert draft.scenario == "The first tab says March."
    two.keyboard.press("1")
    with two.expect_response(lambda answer: "/save/" in answer.url) as answer:
        two.keyboard.press("Control+Enter")
    assert status(answer.value) == 200
    draft.refresh_from_db()
    assert "In June the covenant is tested." in draft.scenario
    ana.problems.clear()


def test_a_text_with_two_versions_is_not_sent_before_one_is_chosen(tabs: Any, draft: Task) -> None:
    """Sent with the old version, the server would refuse it and show another page."""
    ana, two = tabs
    two.locator("[name=scenario]").click()
    with two.expect_response(lambda answer: "/save/" in answer.url) as answer:
        two.keyboard.type("In June ")
    assert status(answer.value) == 409
    two.locator("#saving").get_by_text("Two versions: choose one").wait_for()
    two.evaluate("() => document.getElementById('task-form').requestSubmit()")
    two.get_by_role("dialog", name="This text changed while you were writing").wait_for()
    assert two.url.endswith("/edit/")
    assert "In June" in two.locator("[name=scenario]").input_value()
    ana.problems.clear()
