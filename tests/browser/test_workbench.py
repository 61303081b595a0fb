"""The author's workbench in a real browser: by keyboard alone, in two tabs, offline."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.lines.reference_marks import mark_reference
from rubrics.versions.models import LineChange
from tests.browser.axe import faults_on
from tests.browser.desk import status
from tests.rubrics.walk import lines_of, to_refining

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "#line-text"


@pytest.fixture
def task(author: User, person: Any, finance: Domain) -> Task:
    return to_refining(author, person("screener", finance), finance, lines=17)


@pytest.fixture
def bench(desk: Any, author: User, task: Task) -> Any:
    """The author's window, opened at the workbench."""
    ana = desk(author.email)
    ana.open(f"/tasks/{task.pk}/rubric/")
    return ana


def posts(page: Any, end: str, step: Callable[[], Any]) -> int:
    """Do something that posts to an address with this end; returns the status of the answer."""
    with page.expect_response(
        lambda r: r.request.method == "POST" and re.search(end, r.url) is not None
    ) as answer:
        step()
    return status(answer.value)


def step(ana: Any, end: str, *keys: str) -> None:
    """Press keys that take a step, and wait until the page it brings is in place."""
    ana.page.evaluate(
        "window.arrived = false;"
        "document.addEventListener('assay:page', () => { window.arrived = true; }, { once: true })"
    )
    assert posts(ana.page, end, lambda: ana.press(*keys)) in (200, 302)
    ana.page.wait_for_function("() => window.arrived")


def chosen(page: Any) -> list[int]:
    return list(
        page.evaluate(
            "[...document.querySelectorAll('.pick')].flatMap((p, n) => p.checked ? [n + 1] : [])"
        )
    )


def current(page: Any) -> str:
    return str(page.locator(".line.is-current").get_attribute("data-line"))


def test_an_expert_refines_a_draft_with_the_keyboard_alone(bench: Any, task: Task) -> None:
    page = bench.page
    before = [line.key for line in lines_of(task)]

    # The list of keys says what there is.
    bench.press("?")
    bench.reads("Find lines", "Choose this line, to change several together", "Split")
    bench.press("Escape")

    # Lines 2 to 4 get a weight and a dimension together; one undo takes each back.
    bench.press("j", "Space", "Shift+J", "Shift+J")
    assert chosen(page) == [2, 3, 4]
    step(bench, "/several/", "9")
    assert [line.weight for line in lines_of(task)[1:4]] == [9, 9, 9]
    assert chosen(page) == [2, 3, 4]
    bench.press("d")
    page.keyboard.type("Safety")
    step(bench, "/several/", "Enter")
    assert {line.dimension for line in lines_of(task)[1:4]} == {"safety"}
    step(bench, "/undo/", "Control+z")
    assert "safety" not in {line.dimension for line in lines_of(task)}
    assert [line.weight for line in lines_of(task)[1:4]] == [9, 9, 9]
    assert chosen(page) == []

    # A line found by its words is split at the caret, merged again, and moved to the top.
    bench.press("h")
    page.keyboard.type("figure 7 of")
    bench.reads("Found in 1 line")
    bench.press("Enter")
    assert current(page) == "7"
    bench.press("h", "Escape")
    bench.press("Enter", "Control+Home", *["Control+ArrowRight"] * 3)
    step(bench, "/split/", "Alt+s")
    assert [line.text for line in lines_of(task)[6:8]] == [
        "States figure 7.",
        "Of the covenant table as EUR 107 million.",
    ]
    bench.press("k")
    step(bench, "/merge/", "m")
    assert len(lines_of(task)) == 17
    for _each in range(3):
        step(bench, "/move/", "Alt+ArrowUp")
    assert [line.key for line in lines_of(task)][3] == before[6]

    # A passage of the reference answer, found sentence by sentence, becomes a line.
    bench.press("p", "ArrowDown")
    step(bench, "/lines/$", "q")
    page.keyboard.type("Recommends consent.")
    bench.press("Escape")
    page.locator("[data-saved]", has_text="Saved").wait_for()
    made = lines_of(task)[4]
    assert made.quote == "I recommend consent."

    assert faults_on(page) == []

    # Sent with the lines nobody read, after one question.
    bench.press("Control+Shift+Enter")
    bench.reads("drafted lines are not confirmed yet.")
    bench.click("Send it as it is")
    bench.reads("Sent. You will hear from your reviewer")


def test_words_selected_with_the_mouse_become_the_passage_of_a_line(bench: Any, task: Task) -> None:
    page = bench.page
    page.evaluate(
        """() => {
          const source = document.querySelector("[data-panel=answer] [data-passage-source] p");
          const range = document.createRange();
          range.setStart(source.firstChild, 0);
          range.setEnd(source.firstChild, 8);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
        }"""
    )
    bench.reads("Base the current line on it")
    step(bench, "/passage/", "w")
    assert lines_of(task)[0].quote == "Net debt"
    marked = "[...CSS.highlights.get('passage')].map(String).join()"
    page.wait_for_function(f"() => {marked} === 'Net debt'")


def test_two_tabs_on_one_line_show_both_texts_and_lose_neither(
    bench: Any, author: User, task: Task
) -> None:
    one, two = bench.page, bench.tab()
    two.goto(one.url)

    def types(tab: Any, words: str) -> Callable[[], None]:
        def do() -> None:
            tab.locator(TEXT).fill(words)
            tab.locator(TEXT).blur()

        return do

    assert posts(one, r"/lines/\d+/$", types(one, "The first tab says March.")) == 200
    assert posts(two, r"/lines/\d+/$", types(two, "The second tab says June.")) == 409
    dialog = two.get_by_role("dialog", name="This text changed while you were writing")
    dialog.wait_for()
    assert "The second tab says June." in dialog.locator("[data-conflict-mine]").inner_text()
    assert "The first tab says March." in dialog.locator("[data-conflict-theirs]").inner_text()
    both = "March, says the first tab; June, says the second."
    dialog.get_by_label("What will be saved").fill(both)
    save = dialog.get_by_role("button", name="Save what is chosen")
    assert posts(two, r"/lines/\d+/$", save.click) == 200
    assert lines_of(task)[0].text == both
    assert LineChange.objects.filter(kind="edited").count() == 2


def test_a_text_for_a_line_that_is_gone_comes_back_as_a_new_line(bench: Any, task: Task) -> None:
    one, two = bench.page, bench.tab()
    two.goto(one.url)
    assert posts(one, "/remove/", lambda: one.keyboard.press("x")) in (200, 302)
    words = "Typed while the other tab removed the line."
    two.locator(TEXT).fill(words)
    assert posts(two, r"/lines/\d+/$", two.locator(TEXT).blur) == 404
    two.get_by_text("This line no longer exists.").wait_for()
    two.reload()
    two.get_by_text("Its line is gone: add it as a new one").wait_for()
    add = two.get_by_role("button", name="Its line is gone: add it as a new one")
    posts(two, "/lines/$", add.click)
    two.locator(".line-text", has_text=words).first.wait_for(state="attached")
    assert [line.text for line in lines_of(task)][-1] == words
    two.reload()
    assert two.get_by_text("Its line is gone").count() == 0


def test_what_is_typed_without_a_connection_is_kept_said_and_sent_later(
    bench: Any, task: Task
) -> None:
    page = bench.page
    bench.context.set_offline(True)
    page.locator(TEXT).fill("Typed on the train.")
    bench.press("Escape", "j")  # on to the next line, as if nothing were
    page.locator("#saving").get_by_text("kept in this browser").wait_for()
    bench.press("k")  # and back: what was typed still stands there
    assert page.locator(TEXT).input_value() == "Typed on the train."
    bench.press("j", "s")  # a step is refused, in words, and changes nothing
    bench.reads("That step did not go through.")
    assert len(lines_of(task)) == 17
    # The save that carries the words; on a busy machine another one may come before it.
    with page.expect_response(lambda r: "on the train" in (r.request.post_data or "")) as saved:
        bench.context.set_offline(False)
    assert saved.value.status == 200
    page.locator("#saving").wait_for(state="hidden")
    assert lines_of(task)[0].text == "Typed on the train."
    bench.problems[:] = [p for p in bench.problems if "ERR_INTERNET_DISCONNECTED" not in p]


def test_a_window_closed_without_a_connection_gives_the_text_back(bench: Any, task: Task) -> None:
    page = bench.page
    first, second, *_rest = lines_of(task)
    page.route("**/lines/*/", lambda route: route.abort())
    page.locator(TEXT).fill("Typed before the tunnel.")
    bench.press("Escape", "j")
    page.locator("#saving").get_by_text("kept in this browser").wait_for()
    page.goto("about:blank")
    page.unroute("**/lines/*/")
    bench.open(f"/tasks/{task.pk}/rubric/?line={second.pk}")
    bench.reads("Typed before the tunnel.")
    bench.click("Open line 1")
    bench.click("Use the text kept in this browser")
    page.locator("[data-saved]", has_text="Saved").wait_for()
    page.wait_for_function(
        "() => !Object.keys(localStorage).some((key) => key.startsWith('assay:text:'))"
    )
    first.refresh_from_db()
    assert first.text == "Typed before the tunnel."
    bench.problems[:] = [p for p in bench.problems if "ERR_FAILED" not in p]


def test_a_line_nothing_joins_says_why_it_is_not_split_and_undo_names_what_it_would_take_back(
    bench: Any, task: Task
) -> None:
    page = bench.page
    first, second, *_rest = lines_of(task)
    undo = page.locator("#undo [data-undo]")
    page.locator(TEXT).fill("Names the lender, the borrower.")
    bench.press("Escape")
    undo.get_by_text("Undo: wording of line 1").wait_for()

    bench.press("j", "s")
    bench.reads("This line was not split: no word in it joins two statements.")
    assert in_sight(page, ".split-places")
    assert page.evaluate("document.activeElement.closest('.split-places') !== null")
    assert undo.inner_text().startswith("Undo: wording of line 1")  # not of a split
    assert len(lines_of(task)) == 17

    said = page.locator("#live-assertive")
    said.get_by_text("This line was not split").wait_for()
    step(bench, "/split/", "Tab", "Enter")
    assert len(lines_of(task)) == 18
    undo.get_by_text("Undo: split of line 2").wait_for()
    step(bench, "/undo/", "u")
    bench.reads("Undone: split of line 2.")
    undo.get_by_text("Undo: wording of line 1").wait_for()
    assert [line.text for line in lines_of(task)][:2] == [
        "Names the lender, the borrower.",
        second.text,
    ]
    assert first.text != "Names the lender, the borrower."


def test_leaving_at_once_and_coming_back_loses_nothing(bench: Any, task: Task) -> None:
    page = bench.page
    bench.open(f"/tasks/{task.pk}/rubric/?line={lines_of(task)[0].pk}")
    page.locator(TEXT).fill("Typed, and gone at once.")
    bench.click("Draft beside mine")
    page.wait_for_url("**/draft/")
    # The save outlives the page it was sent from, so its answer is seen in the rows alone.
    for _look in range(200):
        if lines_of(task)[0].text == "Typed, and gone at once.":
            break
        page.wait_for_timeout(50)
    page.go_back()
    page.locator(TEXT).wait_for()
    assert page.locator(TEXT).input_value() == "Typed, and gone at once."
    assert lines_of(task)[0].text == "Typed, and gone at once."


def test_a_step_pressed_twice_is_taken_once(bench: Any, task: Task) -> None:
    page = bench.page
    sent: list[Any] = []

    def hold(route: Any) -> None:
        sent.append(route)

    page.route(re.compile(r"/(lines/|merge/)$"), hold)
    bench.press("l")
    page.keyboard.type("Names the lender.")
    with page.expect_request(re.compile(r"/lines/$")):
        bench.press("Enter", "Enter")
    page.evaluate("() => new Promise((done) => setTimeout(done))")  # the second key is heard too
    assert len(sent) == 1
    sent.pop().continue_()
    page.locator(".line", has_text="Names the lender.").first.wait_for(state="attached")
    assert [line.text for line in lines_of(task)].count("Names the lender.") == 1
    bench.press("Escape", "k")
    page.locator(".line.is-current [data-key~=m]").wait_for()
    bench.press("m", "m")
    page.wait_for_function("() => document.querySelector('[aria-busy]')")
    assert len(sent) == 1
    sent.pop().continue_()
    page.locator("#line-list .line").nth(17).wait_for(state="detached")
    assert len(lines_of(task)) == 17


def test_going_from_line_to_line_sends_nothing(bench: Any) -> None:
    page = bench.page
    posted: list[str] = []
    page.on("request", lambda r: posted.append(r.url) if r.method == "POST" else None)
    bench.press("j", "j", "Enter", "Escape", "k")
    page.wait_for_function("() => document.querySelector('.line.is-current [data-editor]')")
    assert current(page) == "2"
    assert posted == []


def test_a_reason_stays_open_with_the_focus_while_its_line_is_saved(bench: Any) -> None:
    page = bench.page
    summary = ".line.is-current .because summary"
    page.locator(TEXT).fill("Gives a good overview of the covenants.")
    page.locator(TEXT).blur()
    page.locator(summary).wait_for()
    # More is typed, and the reason is opened before the save is answered.
    held: list[Any] = []
    page.route(re.compile(r"/lines/\d+/$"), lambda route: held.append(route))
    page.locator(TEXT).fill("Gives a good overview of all covenants.")
    page.locator(TEXT).blur()
    while not held:
        page.evaluate("0")  # events are heard while something is asked
    page.locator(summary).focus()
    page.keyboard.press("Enter")
    before = page.locator(".line.is-current [data-part=marks]").element_handle()
    held.pop().continue_()
    page.wait_for_function("(old) => !old.isConnected", arg=before)
    assert page.evaluate(f"document.querySelector('{summary}').parentElement.open")
    assert page.evaluate(f"document.activeElement === document.querySelector('{summary}')")


def in_sight(page: Any, selector: str) -> bool:
    return bool(
        page.evaluate(
            "(s) => { const box = document.querySelector(s).getBoundingClientRect();"
            " return box.top >= 0 && box.bottom <= innerHeight; }",
            selector,
        )
    )


def test_the_question_about_lines_that_are_not_confirmed_counts_down(
    bench: Any, author: User, task: Task
) -> None:
    page = bench.page
    for line in lines_of(task):
        mark_reference(actor=author, task=task, criterion=line, met=True, why="")
    bench.open(f"/tasks/{task.pk}/rubric/")
    assert posts(page, "/send/", lambda: bench.press("Control+Shift+Enter")) == 400
    asked = page.locator("#refusal b")
    asked.get_by_text("17 drafted lines are not confirmed yet.").wait_for()
    assert in_sight(page, "#refusal")
    assert posts(page, "/lines/", lambda: bench.press("Control+Enter")) == 200
    asked.get_by_text("16 drafted lines are not confirmed yet.").wait_for()
    page.evaluate("document.querySelector('#refusal [data-send]').remove()")  # not that way
    for line in lines_of(task)[1:]:
        post = posts(page, f"/lines/{line.pk}/", lambda: bench.press("Control+Enter"))
        assert post == 200
    page.wait_for_function("() => document.querySelector('#refusal').hidden")
    assert posts(page, "/send/", lambda: bench.press("Control+Shift+Enter")) == 204
    bench.reads("Sent. You will hear from your reviewer")
    bench.problems[:] = [p for p in bench.problems if "status of 400" not in p]
