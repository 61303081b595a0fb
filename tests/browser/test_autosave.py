"""Nothing that was typed is lost: not by a reload, not by a second tab."""

from typing import Any

import pytest

from curation.joining.domains.models import Category, Domain
from curation.joining.people import Qualification, User
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


def saved(page: Any, step: Any) -> int:
    """Do something that leads to a save; returns its status."""
    with page.expect_response(lambda r: r.url.endswith("/save/")) as answer:
        step()
    return status(answer.value)


def test_typed_text_is_saved_by_itself_and_is_there_after_a_reload(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    box = ana.page.locator(SCENARIO)
    box.click()
    ana.press("Control+End")
    assert saved(ana.page, lambda: box.press_sequentially(" On Thursday.")) == 200
    ana.page.reload()
    assert ana.page.locator(SCENARIO).input_value() == "The board meets. On Thursday."
    draft.refresh_from_db()
    assert draft.scenario == "The board meets. On Thursday."


def test_what_is_typed_before_the_scripts_have_loaded_is_saved_when_they_have(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    held: list[Any] = []
    ana.page.route("**/js/main*.js", lambda route: held.append(route))
    ana.page.goto(f"{ana.url}/tasks/{draft.pk}/edit/", wait_until="commit")
    ana.page.locator(SCENARIO).fill("The board meets on Thursday.")
    assert held

    assert saved(ana.page, lambda: [script.continue_() for script in held]) == 200
    draft.refresh_from_db()
    assert draft.scenario == "The board meets on Thursday."


def test_the_browser_names_its_time_zone_so_that_saves_are_told_by_one_clock(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open("/")
    named = {cookie["name"]: cookie["value"] for cookie in ana.context.cookies()}
    own = ana.page.evaluate("() => Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert named["zone"] == own


def test_characters_nobody_sees_and_nothing_stores_are_dropped_as_they_arrive(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")

    def pastes() -> None:
        ana.page.locator(SCENARIO).evaluate(
            """box => {
              box.setRangeText("From a\\0 PDF", 0, box.value.length, "end");
              box.dispatchEvent(new Event("input", { bubbles: true }));
            }"""
        )

    assert saved(ana.page, pastes) == 200
    draft.refresh_from_db()
    assert draft.scenario == "From a PDF"


def test_choosing_another_domain_offers_its_categories_and_takes_the_old_one_away(
    desk: Any, author: User, draft: Task, finance: Domain, law: Domain
) -> None:
    Qualification.objects.create(user=author, domain=law)
    credit = Category.objects.create(domain=finance, key="credit", name="Credit")
    Category.objects.create(domain=law, key="contracts", name="Contracts")
    Task.objects.filter(pk=draft.pk).update(category=credit)
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    domain, category = ana.page.get_by_label("Domain"), ana.page.get_by_label("Category")

    def offered() -> list[str]:
        found: list[str] = category.evaluate(
            "box => [...box.querySelectorAll('optgroup:not([disabled]) option')].map(o => o.text)"
        )
        return found

    assert (category.input_value(), offered()) == ("credit", ["Credit"])
    assert saved(ana.page, lambda: domain.select_option("law")) == 200
    assert (category.input_value(), offered()) == ("", ["Contracts"])
    draft.refresh_from_db()
    assert (draft.domain, draft.category) == (law, None)
    assert saved(ana.page, lambda: category.select_option("contracts")) == 200
    ana.page.reload()
    assert (domain.input_value(), category.input_value()) == ("law", "contracts")
    assert offered() == ["Contracts"]
    draft.refresh_from_db()
    assert draft.category.key == "contracts"
    assert ana.problems == []


def test_a_stale_save_in_a_second_tab_shows_both_texts_and_loses_neither(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    one, two = ana.page, ana.tab()
    for tab in (one, two):
        tab.goto(f"{ana.url}/tasks/{draft.pk}/edit/")

    def types(tab: Any, words: str) -> Any:
        def step() -> None:
            tab.locator(SCENARIO).fill(words)
            tab.locator(SCENARIO).blur()

        return step

    assert saved(one, types(one, "The first tab says March.")) == 200
    assert saved(two, types(two, "The second tab says June.")) == 409
    dialog = two.get_by_role("dialog", name="This text changed while you were writing")
    dialog.wait_for()
    assert "The second tab says June." in dialog.locator("[data-conflict-mine]").inner_text()
    assert "The first tab says March." in dialog.locator("[data-conflict-theirs]").inner_text()
    draft.refresh_from_db()
    assert draft.scenario == "The first tab says March."

    both = "March, says the first tab; June, says the second."
    dialog.get_by_label("What will be saved").fill(both)
    assert (
        saved(two, lambda: dialog.get_by_role("button", name="Save what is chosen").click()) == 200
    )
    draft.refresh_from_db()
    assert draft.scenario == both
    two.reload()
    assert two.locator(SCENARIO).input_value() == both


def decides_later(ana: Any, draft: Task) -> None:
    """Type while the text is changed elsewhere, leave both, and open the page again."""
    ana.open(f"/tasks/{draft.pk}/edit/")
    Task.objects.filter(pk=draft.pk).update(version=draft.version + 1, scenario="From elsewhere.")
    box = ana.page.locator(SCENARIO)
    box.fill("Mine, not saved yet.")
    assert saved(ana.page, box.blur) == 409
    ana.click("Decide later")
    ana.page.reload()
    ana.reads("Text you typed on")


def test_deciding_later_keeps_the_text_in_the_browser(desk: Any, author: User, draft: Task) -> None:
    ana = desk(author.email)
    decides_later(ana, draft)
    ana.click("Use the text kept in this browser")
    assert ana.page.locator(SCENARIO).input_value() == "Mine, not saved yet."


def test_after_a_crash_both_texts_stand_side_by_side(desk: Any, author: User, draft: Task) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    ana.page.route("**/save/", lambda route: route.abort())  # the connection is gone
    box = ana.page.locator(SCENARIO)
    box.fill("Typed before the crash.")
    ana.page.wait_for_function(
        "() => Object.keys(localStorage).some((key) => key.startsWith('assay:text:'))"
    )
    ana.page.unroute("**/save/")
    Task.objects.filter(pk=draft.pk).update(version=draft.version + 1, scenario="Typed elsewhere.")
    ana.page.goto("about:blank")
    ana.open(f"/tasks/{draft.pk}/edit/")
    ana.click("Compare both texts")
    ana.reads("Typed before the crash.")
    ana.reads("Typed elsewhere.")
    with ana.page.expect_response(lambda r: r.url.endswith("/save/")):
        ana.click("Save what is chosen")
    draft.refresh_from_db()
    assert draft.scenario == "Typed before the crash."


def test_submitting_while_a_save_is_on_its_way_waits_for_it(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    held: list[Any] = []
    ana.page.route("**/save/", lambda route: held.append(route))
    with ana.page.expect_request("**/save/"):
        ana.page.locator(SCENARIO).fill("On its way.")
    ana.page.locator("#task-form [name=materials]").fill("Typed meanwhile.")
    with ana.page.expect_response("**/submit/") as answer:
        ana.page.get_by_role("button", name="Submit for screening").click()
        held[0].continue_()
    assert answer.value.status == 400  # parts are missing; nothing is stale
    draft.refresh_from_db()
    assert (draft.scenario, draft.materials) == ("On its way.", "Typed meanwhile.")
    for route in held[1:]:  # a window with an unanswered request never closes
        route.abort()
    ana.page.unroute_all(behavior="ignoreErrors")
    # the refusal and the request dropped are what is tried here, not faults of the page
    ana.problems[:] = [p for p in ana.problems if "400" not in p and "ERR_FAILED" not in p]


def test_what_is_typed_before_the_scripts_arrive_stays_where_it_is_typed(
    desk: Any, author: User, finance: Domain
) -> None:
    ana = desk(author.email)
    ana.open("/tasks/new/")
    ana.click("Start the draft")
    ana.reads("Draft started.")
    late: list[Any] = []
    ana.page.route("**/pages/task-editor*.js", lambda route: late.append(route))
    ana.page.reload(wait_until="commit")
    title = ana.page.locator("#task-form [name=title]")
    title.focus()
    ana.page.keyboard.type("Lease ")
    late.pop().continue_()
    ana.page.wait_for_load_state("load")
    ana.page.keyboard.type("renewal")
    assert title.input_value() == "Lease renewal"
    assert ana.page.locator("#task-form [name=scenario]").input_value() == ""


def test_a_button_that_is_held_down_while_a_save_renews_it_is_pressed(
    desk: Any, author: User, draft: Task
) -> None:
    """The press takes the focus from the text, whose save brings another button."""
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    page = ana.page
    page.locator(SCENARIO).fill("The board meets on Thursday.")
    page.locator("#submit").hover()
    with page.expect_response(lambda reply: reply.request.headers.get("x-parts") == "1") as renewed:
        page.mouse.down()
    assert renewed.value.finished() is None
    page.evaluate("() => new Promise(requestAnimationFrame)")
    with page.expect_navigation():
        page.mouse.up()
    ana.reads("Reference answer")
    assert page.locator("[data-error-summary]").is_visible()  # it asks for what is missing
    ana.problems.clear()  # the browser logs the refusal


def test_a_kept_text_stays_until_somebody_has_chosen_whatever_is_typed_meanwhile(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    decides_later(ana, draft)
    title = ana.page.locator("#task-form [name=title]")
    title.fill("Another title")
    assert saved(ana.page, title.blur) == 200
    ana.page.reload()
    ana.reads("Text you typed on")
    ana.click("Use the text kept in this browser")
    assert ana.page.locator(SCENARIO).input_value() == "Mine, not saved yet."


def test_a_draft_is_not_submitted_over_a_kept_text_nobody_has_decided_about(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    decides_later(ana, draft)
    sent: list[str] = []
    ana.page.on("request", lambda request: sent.append(request.url))
    ana.click("Submit for screening")
    ana.reads("Not sent yet. First choose what to do with the text kept in this browser.")
    focused = ana.page.evaluate(
        "() => document.activeElement.closest('[data-offer=open]') !== null"
    )
    assert focused
    assert not any("/submit/" in url for url in sent)
    ana.click("Use the text kept in this browser")
    with ana.page.expect_response("**/submit/") as answer:
        ana.click("Submit for screening")
    assert answer.value.status == 400  # other parts are missing, this one is not
    draft.refresh_from_db()
    assert draft.scenario == "Mine, not saved yet."
    ana.problems[:] = [p for p in ana.problems if "400" not in p]


def test_what_a_screen_reader_can_ask_for_is_not_older_than_what_is_shown(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    regions = (
        "() => ['polite', 'assertive'].map((n) => document.getElementById(`live-${n}`).innerText)"
    )
    ana.page.route("**/save/", lambda route: route.abort())
    ana.page.locator(SCENARIO).fill("Typed without a line.")
    ana.page.locator(SCENARIO).blur()
    ana.page.wait_for_function(f"() => ({regions})()[1].startsWith('Not saved')")
    ana.page.unroute("**/save/")
    ana.click("Try again")
    ana.page.wait_for_function(f"() => ({regions})()[0].startsWith('Saved')")
    assert ana.page.evaluate(regions)[1] == ""
    ana.problems[:] = [p for p in ana.problems if "ERR_FAILED" not in p]
