"""The state of saving is in sight wherever somebody is on a page, with what to do about it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import start_sitting
from curation.tasks.task.models import Task
from judge.scoring.sheets.models import Sheet
from review.rounds.assignment_models import LineReview, Round
from tests.programme import sample_programme

pytestmark = pytest.mark.django_db(transaction=True)
SCENARIO = "#task-form [name=scenario]"
SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
# True where all of these can be read: inside the window, and nothing lies over them.
IN_SIGHT = """
(parts) => parts.every((part) => {
  const box = document.querySelector(part).getBoundingClientRect();
  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight
    && box.right <= innerWidth && !!over && over.closest("#saving") !== null;
})
"""
SAID = """
window.said = [];
addEventListener("DOMContentLoaded", () => {
  const region = document.getElementById("live-assertive");
  new MutationObserver(() => { if (region.textContent) said.push(region.textContent); })
    .observe(region, { childList: true });
});
"""


@pytest.fixture(autouse=True)
def world(person: Callable[..., User]) -> None:
    sample_programme()
    person("newcomer")


def fills(box: str) -> Callable[[Any, int], None]:
    def change(page: Any, n: int) -> None:
        page.locator(box).fill(f"Typed for the {n}. time.")
        page.locator(box).blur()

    return change


def chooses(page: Any, n: int) -> None:
    radios = page.locator(".line.is-current input[type=radio], .questions input[type=radio]")
    radios.nth(n).evaluate("radio => radio.click()")


def approves(page: Any, _n: int) -> None:
    page.locator("[data-verdict=approve]").filter(visible=True).first.click()


def editor() -> tuple[str, str]:
    task = Task.objects.get(author__email="author@example.test", stage=Stage.DRAFT)
    return "author@example.test", f"/tasks/{task.pk}/edit/"


def workbench() -> tuple[str, str]:
    task = Task.objects.get(author__email="author@example.test", stage=Stage.REFINING)
    return "author@example.test", f"/tasks/{task.pk}/rubric/"


def review() -> tuple[str, str]:
    reviewing = {"review__reviewer__email": "reviewer@example.test", "finished_at": None}
    return "reviewer@example.test", f"/reviews/{Round.objects.get(**reviewing).review_id}/"


def sheet() -> tuple[str, str]:
    sheet = Sheet.objects.get(user__email="scorer@example.test", state="open")
    return "scorer@example.test", f"/sheets/{sheet.pk}/"


def exam() -> tuple[str, str]:
    application = Application.objects.get(user__email="applicant@example.test", stage="exam")
    sitting = start_sitting(actor=application.user, application=application)
    return "applicant@example.test", f"/exams/{sitting.pk}/"


def application() -> tuple[str, str]:
    return "newcomer@example.test", "/apply/"


PAGES = {
    "the task editor": (editor, fills(SCENARIO)),
    "the exam": (exam, chooses),
    "the application": (application, fills("#apply-form [name=affiliation]")),
    "the rubric": (workbench, fills("#line-text")),
    "the review": (review, approves),
    "the scoring sheet": (sheet, chooses),
}


def ends(page: Any) -> Iterator[str]:
    """Go to the end of the page, to its top, and to the pane that a phone shows over it."""
    for place in ("document.documentElement.scrollHeight", "0"):
        page.evaluate(f"scrollTo(0, {place})")
        yield f"scrolled to {place}"
    if page.locator("#task.is-away").count():
        page.evaluate("location.hash = 'task'")
        yield "in the pane of the task"
        page.evaluate("location.hash = 'lines'")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", PAGES)
def test_offline_and_signed_out_stay_in_sight_with_what_to_do(
    desk: Any, kind: str, size: str
) -> None:
    where, change = PAGES[kind]
    email, address = where()
    one = desk(email, **SIZES[size])
    one.open(address)
    page = one.page
    one.context.set_offline(True)
    change(page, 0)
    page.locator("#saving").get_by_text("Not saved since").wait_for()
    for place in ends(page):
        parts = ["[data-saving-head]", "[data-saving-why]", "[data-saving-act]"]
        assert page.evaluate(IN_SIGHT, parts), f"offline, {place}"
    assert page.locator("[data-saving-act]").inner_text() == "Try again"

    one.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    one.context.set_offline(False)
    change(page, 1)
    page.locator("#saving").get_by_text("You were signed out.").wait_for()
    for place in ends(page):
        parts = ["[data-saving-head]", "[data-saving-why]", "[data-saving-sign-in]"]
        assert page.evaluate(IN_SIGHT, parts), f"signed out, {place}"
    again = page.get_by_role("link", name="Sign in again")
    assert again.get_attribute("target") == "_blank"
    assert not page.locator("[data-saving-act]").is_visible()
    one.problems[:] = [p for p in one.problems if "ERR_INTERNET_DISCONNECTED" not in p]


def test_the_time_since_is_counted_and_the_trouble_is_announced_once(desk: Any) -> None:
    email, address = editor()
    ana = desk(email)
    page = ana.page
    page.add_init_script(SAID)
    page.clock.install()
    ana.open(address)
    page.route("**/save/", lambda route: route.abort())
    page.locator(SCENARIO).fill("Typed on the train.")
    page.locator(SCENARIO).blur()
    ana.reads("The server does not answer.")
    head = page.locator("[data-saving-head]")
    assert "minute" not in head.inner_text()
    page.wait_for_function("() => said.length === 1")
    for minutes in ("1 minute", "2 minutes", "3 minutes"):
        page.clock.run_for("01:00")
        page.wait_for_function(
            "(t) => document.querySelector('[data-saving-head]').textContent.endsWith(t)",
            arg=f"— {minutes}",
        )
    said = page.evaluate("said")
    assert len(said) == 1, said
    assert said[0].startswith("Not saved since")
    assert "The server does not answer." in said[0]

    page.unroute("**/save/")
    with page.expect_response("**/save/"):
        ana.click("Try again")
    page.locator("#saving").wait_for(state="hidden")
    page.locator("[data-saved]", has_text="Saved").wait_for()
    ana.problems[:] = [p for p in ana.problems if "ERR_FAILED" not in p]


def test_saved_is_quiet_and_in_sight_on_a_phone_too(desk: Any) -> None:
    email, address = editor()
    ana = desk(email, **SIZES["phone"])
    ana.open(address)
    page = ana.page
    with page.expect_response("**/save/"):
        fills(SCENARIO)(page, 1)
    saved = page.locator("#saving").get_by_text("Saved ")
    saved.wait_for()
    for _place in ends(page):
        assert page.evaluate(IN_SIGHT, ["[data-saving-why]"])
    assert saved.evaluate("el => getComputedStyle(el.closest('#saving')).backgroundColor") == (
        page.locator(".workbar").evaluate("el => getComputedStyle(el).backgroundColor")
    )


def test_a_verdict_that_did_not_go_through_is_given_with_try_again(desk: Any) -> None:
    email, address = review()
    ben = desk(email)
    ben.open(address)
    page = ben.page
    pk = page.locator(".line.is-current").get_attribute("data-pk")
    approved = LineReview.objects.filter(verdict="approve")
    before = approved.count()
    ben.context.set_offline(True)
    approves(page, 0)
    ben.reads("That step did not go through.")
    ben.context.set_offline(False)
    ben.click("Try again")
    page.locator(f"#line-{pk}[data-state=approve]").wait_for()
    page.locator("#saving").wait_for(state="hidden")
    assert approved.count() == before + 1
    ben.problems[:] = [p for p in ben.problems if "ERR_INTERNET_DISCONNECTED" not in p]


def test_words_typed_back_to_what_is_saved_need_no_saving(desk: Any) -> None:
    email, address = editor()
    ana = desk(email)
    ana.open(address)
    page = ana.page
    before = page.locator(SCENARIO).input_value()
    ana.context.set_offline(True)
    fills(SCENARIO)(page, 1)
    ana.reads("Not saved since")
    page.locator(SCENARIO).fill(before)
    page.locator("#saving").get_by_text("Not saved since").wait_for(state="hidden")
    ana.reads("You are offline.")  # as long as it lasts, though nothing waits
    ana.context.set_offline(False)
    page.locator("#saving").wait_for(state="hidden")
    assert page.locator(SCENARIO).input_value() == before
    ana.problems[:] = [p for p in ana.problems if "ERR_INTERNET_DISCONNECTED" not in p]


def test_a_refused_field_is_found_from_wherever_one_is(desk: Any) -> None:
    email, address = editor()
    ana = desk(email, **SIZES["phone"])
    ana.open(address)
    page = ana.page
    minutes = page.get_by_label("Minutes a professional needs")
    minutes.fill("-4")
    minutes.blur()
    page.locator("#saving").get_by_text("Not saved: Minutes a professional needs").wait_for()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate(IN_SIGHT, ["[data-saving-why]", "[data-saving-act]"])
    ana.click("Show the field")
    assert minutes.evaluate("box => box === document.activeElement")
    with page.expect_response("**/save/"):
        minutes.fill("90")
    page.locator("#saving.is-quiet").wait_for()


def test_two_versions_left_for_later_stay_in_sight_with_the_way_to_choose(desk: Any) -> None:
    email, address = editor()
    ana = desk(email)
    ana.open(address)
    page = ana.page
    task = Task.objects.get(author__email=email, stage=Stage.DRAFT)
    Task.objects.filter(pk=task.pk).update(version=task.version + 1, scenario="From elsewhere.")
    fills(SCENARIO)(page, 1)
    ana.click("Decide later")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.locator("#saving").get_by_text("Two versions: choose one").wait_for()
    assert page.evaluate(IN_SIGHT, ["[data-saving-why]", "[data-saving-act]"])
    ana.click("Compare both texts")
    page.get_by_role("dialog", name="This text changed while you were writing").wait_for()
    with page.expect_response("**/save/"):
        ana.click("Save what is chosen")
    page.locator("#saving").wait_for(state="hidden")
    task.refresh_from_db()
    assert task.scenario == "Typed for the 1. time."
