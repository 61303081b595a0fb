"""Marks that the worker computes come to the open page and take nothing from who is writing."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.jobs import jobs
from tests.browser.held import Held
from tests.rubrics.walk import lines_of, to_refining

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("slow_worker")]

VAGUE = "Handles the covenant appropriately."
FIRST = '.line[data-line="1"]'


@pytest.fixture
def task(author: User, person: Any, finance: Domain) -> Task:
    return to_refining(author, person("screener", finance), finance)


@pytest.fixture
def bench(desk: Any, author: User, task: Task) -> Any:
    """The page with its marks, the first line open."""
    ana = desk(author.email, width=1500, height=900)
    ana.open(f"/tasks/{task.pk}/rubric/")
    ana.page.locator("#marks-wait").wait_for()
    works(ana.page)
    return ana


def works(page: Any) -> None:
    """The worker computes the marks, and the page fetches them."""
    assert [job(pk) for job, pk in jobs.due() if job is jobs.mark_lines] == [True]
    page.locator("#marks-wait").wait_for(state="detached")


def test_the_mark_of_a_saved_line_comes_by_itself_and_the_next_line_is_written_meanwhile(
    bench: Any, task: Task
) -> None:
    page = bench.page
    page.locator("#line-text").fill(VAGUE)
    page.locator(f"{FIRST} + .line .line-open").click()
    page.locator("#marks-wait").wait_for()
    bench.reads("These are the last marks. New ones are being computed")
    assert page.locator(f"{FIRST} .lint").count() == 0
    page.locator("#line-text").press("End")
    works(page)
    page.keyboard.type(" This is new.")
    assert page.locator(f"{FIRST} .lint").inner_text() == "appropriately"
    assert page.locator("#line-text").input_value().endswith(" This is new.")


def test_the_marks_of_a_line_come_though_another_one_was_saved_before_they_were_fetched(
    bench: Any, task: Task
) -> None:
    page = bench.page
    one, other = lines_of(task)[:2]
    page.route("**/rubric/mark/*", lambda route: route.fulfill(status=204))
    page.locator("#line-text").fill(other.text)
    page.locator(f"{FIRST} + .line .line-open").click()
    page.locator("#marks-wait").wait_for()
    assert [job(pk) for job, pk in jobs.due() if job is jobs.mark_lines] == [True]
    page.locator(f"{FIRST} .line-open").click()
    with page.expect_response(lambda answer: answer.url.endswith(f"/lines/{one.pk}/")):
        page.locator("[name=weight][value='4']").check(force=True)
    page.unroute("**/rubric/mark/*")
    with page.expect_request(lambda request: "/rubric/mark/?shown=" in request.url):
        works(page)
    page.locator(f"{FIRST} + .line .lint-note").first.wait_for(state="attached")


def test_fetched_marks_leave_words_that_are_being_saved(bench: Any, task: Task) -> None:
    page = bench.page
    page.locator("#line-text").fill(VAGUE)
    page.locator(f"{FIRST} + .line .line-open").click()
    page.locator("#marks-wait").wait_for()
    page.locator(f"{FIRST} .line-open").click()
    held = Held(page, f"/lines/{lines_of(task)[0].pk}/$")
    page.locator("#line-text").fill("Names the lender")
    page.locator(f"{FIRST} + .line .line-open").click()
    held.wait()
    works(page)
    assert page.locator(f"{FIRST} .line-open").inner_text() == "Names the lender"
    held.go_on()
    page.locator("#marks-wait").wait_for()
    works(page)
    assert page.locator(f"{FIRST} .line-open").inner_text() == "Names the lender"
    assert page.locator(f"{FIRST} .line-collapsed[data-typed]").count() == 0
    assert lines_of(task)[0].text == "Names the lender"


# Answers what asks for marks as a server would, and lets no time pass between the askings.
ANSWERS = """(status) => {
  const [send, later] = [window.fetch, window.setTimeout];
  window.asked = 0;
  window.pauses = [];
  window.fetch = (url, options) => {
    if (!/rubric\\/mark/.test(url)) return send(url, options);
    if (!window.asked) window.pauses = [];
    window.asked += 1;
    const headers = { "Content-Type": "application/json" };
    return Promise.resolve(new Response('{"detail": "Not now."}', { status, headers }));
  };
  window.setTimeout = (act, pause, ...more) => {
    if (pause >= 1000) window.pauses.push(pause / 1000);
    return later(act, Math.min(pause, 20), ...more);
  };
}"""
PROBLEM = "[data-script-problem]"


@pytest.fixture
def waiting(desk: Any, author: User, task: Task) -> Any:
    """The page that waits for its first marks."""
    ana = desk(author.email, width=1500, height=900)
    ana.open(f"/tasks/{task.pk}/rubric/")
    ana.page.locator("#marks-wait").wait_for()
    return ana.page


def test_a_page_asks_for_marks_less_and_less_often_and_says_once_that_the_server_is_in_trouble(
    waiting: Any,
) -> None:
    waiting.evaluate(ANSWERS, 503)
    waiting.locator(PROBLEM).evaluate("note => { note.dataset.first = ''; }")
    waiting.wait_for_function("() => window.asked >= 8")
    pauses = waiting.evaluate("() => window.pauses")
    assert (pauses, pauses[-1]) == (sorted(pauses), 10)
    assert waiting.locator(f"{PROBLEM}[data-first]").count() == 1


def test_a_page_that_is_refused_marks_says_so_and_asks_no_more(waiting: Any) -> None:
    waiting.evaluate(ANSWERS, 403)
    waiting.locator(PROBLEM).wait_for()
    assert waiting.evaluate("() => [window.asked, window.pauses]") == [1, []]
