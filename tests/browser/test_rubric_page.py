"""The rubric's page at 1280 × 900: ten lines in sight, a pane that folds, marks in one pass."""

import json
from pathlib import Path
from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.prompts.builder import draft_prompt
from judge.asking.prompts.parsing import parse_draft
from judge.asking.providers import get
from judge.asking.providers.inputs import TaskText
from rubrics.lines.reference_marks import ReferenceMark
from tests.browser.axe import faults_on
from tests.browser.held import Held
from tests.rubrics.walk import lines_of, to_refining

pytestmark = pytest.mark.django_db(transaction=True)
SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample" / "tasks"
IN_SIGHT = """() => {
  const top = document.querySelector('#workbar').getBoundingClientRect().bottom;
  return [...document.querySelectorAll('#line-list > .line')].filter((line) => {
    const box = line.getBoundingClientRect();
    return box.height > 0 && box.top >= top - 1 && box.bottom <= innerHeight;
  }).length;
}"""
COLUMNS = """() => [...document.querySelectorAll('.lines-head > .desk-only')]
  .every((head) => head.getBoundingClientRect().width > 0)"""
ROWS = """() => new Set([...document.querySelectorAll('[data-editor] .controls-row > *')]
  .map((set) => Math.round(set.getBoundingClientRect().bottom))).size"""


def drafted(file: Path) -> list[dict[str, Any]]:
    """The offline draft of a task of the sample."""
    task = json.loads(file.read_text())
    names = ("domain", "language", "title", "scenario", "materials", "requirements")
    text = TaskText(id=file.stem, **{name: task[name] for name in names})
    answer = task["reference_answer"]
    prompt = draft_prompt(text, answer, task["language"])
    reply = get("offline").complete(prompt, model="rules-1", parameters={}, timeout=60)
    columns = ("text", "importance", "weight", "dimension", "quote")
    lines = parse_draft(reply.text, reference=answer).lines
    return [{name: getattr(line, name) for name in columns} for line in lines]


def longest_draft() -> list[dict[str, Any]]:
    """The lines of the sample's longest rubric, as a new author meets them."""
    drafts = [drafted(file) for file in sorted(SAMPLE.glob("*.json"))]
    return max(drafts, key=lambda lines: sum(len(line["text"]) for line in lines))


@pytest.fixture
def task(author: User, person: Any, finance: Domain) -> Task:
    return to_refining(author, person("screener", finance), finance, lines=longest_draft())


@pytest.fixture
def bench(desk: Any, author: User, task: Task) -> Any:
    ana = desk(author.email, width=1280, height=900)
    ana.open(f"/tasks/{task.pk}/rubric/")
    return ana


def test_ten_lines_of_the_samples_longest_rubric_are_in_sight(bench: Any, task: Task) -> None:
    page = bench.page
    assert len(lines_of(task)) == 25
    page.locator(".line.is-current [data-editor]").wait_for()
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(IN_SIGHT) >= 10
    assert page.evaluate(COLUMNS)
    assert page.evaluate(ROWS) == 1


def test_the_right_pane_folds_and_stays_as_it_was_left(bench: Any, task: Task) -> None:
    page = bench.page
    pane = page.locator("#balance-pane")
    button = page.locator("[data-fold]")
    assert not pane.is_visible()
    assert button.get_attribute("aria-expanded") == "false"
    bench.press("Alt+b")
    pane.wait_for()
    assert button.get_attribute("aria-expanded") == "true"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bench.open(f"/tasks/{task.pk}/rubric/")
    pane.wait_for()
    button.click()
    pane.wait_for(state="hidden")
    assert faults_on(page) == []


def test_the_marks_are_given_in_one_pass_by_keys_alone(bench: Any, task: Task) -> None:
    page = bench.page
    bench.press("r")
    page.wait_for_url("**/rubric/reference/")
    bench.reads("Does your reference answer meet this line?")
    page.wait_for_function("() => document.querySelector('.line.is-current')")
    bench.press("t")
    page.locator('.line.is-current[data-line="2"]').wait_for()

    # FALSE asks what is missing; without a word nothing is marked.
    bench.press("f")
    page.wait_for_function("() => document.activeElement.name === 'why'")
    page.keyboard.press("Enter")
    bench.reads("Say what the reference answer is missing.")
    assert ReferenceMark.objects.count() == 1
    page.keyboard.type("It names no table.")
    page.keyboard.press("Enter")
    page.locator('.line.is-current[data-line="3"]').wait_for()
    assert [m.met for m in ReferenceMark.objects.order_by("id")] == [True, False]
    assert faults_on(page) == []

    for n in range(3, 26):
        page.locator(f'.line.is-current[data-line="{n}"]').wait_for()
        bench.press("t")
    page.wait_for_function("() => document.activeElement.matches('[data-finish]')")
    bench.reads("The reference answer meets 24 of 25 lines. Repair 1 line, or the answer.")
    page.keyboard.press("Enter")
    bench.reads("Reference answer meets 24 of 25")
    assert ReferenceMark.objects.count() == 25


def held_back(bench: Any, address: str) -> Held:
    """Hold what is sent to addresses that match, once the editor is there."""
    bench.page.locator(".line.is-current [data-editor]").wait_for()
    return Held(bench.page, address)


def adds(bench: Any, text: str) -> None:
    bench.page.locator("#new-text").fill(text)
    bench.page.locator("#new-text").press("Enter")


def counts(page: Any, lines: int) -> None:
    """Wait until the page has so many lines."""
    page.wait_for_function(
        "n => document.querySelectorAll('#line-list > .line').length === n", arg=lines
    )


def test_a_line_that_is_typed_while_another_is_being_added_stays_in_the_box_with_the_focus(
    bench: Any, task: Task
) -> None:
    before = len(lines_of(task))
    page, held = bench.page, held_back(bench, "/lines/$")
    adds(bench, "Names the bank that leads.")
    held.wait()
    page.locator("#new-text").fill("")
    page.keyboard.type("Names the ")
    held.go_on()
    counts(page, before + 1)
    page.keyboard.type("exact day of the test.")  # x alone would remove a line
    assert page.locator("#new-text").input_value() == "Names the exact day of the test."
    page.locator("#new-text").press("Enter")
    held.wait()
    held.go_on()
    counts(page, before + 2)
    texts = [line.text for line in lines_of(task)][before:]
    assert texts == ["Names the bank that leads.", "Names the exact day of the test."]


def test_what_is_pressed_during_another_step_moves_no_other_line(bench: Any, task: Task) -> None:
    before = [line.text for line in lines_of(task)]
    held = held_back(bench, "/remove/$")
    bench.press("x")
    held.wait()
    bench.press("Alt+ArrowDown")
    bench.reads("Not taken: the step before was still under way.")
    held.go_on()
    counts(bench.page, len(before) - 1)
    bench.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert held.sent("/move/") == 0
    assert [line.text for line in lines_of(task)] == before[1:]


def test_nothing_follows_a_step_that_was_lost(bench: Any, task: Task) -> None:
    """Sent to review without the line that was added last, the rubric would be a wrong one."""
    held = held_back(bench, "/lines/$")
    adds(bench, "Names the bank that leads.")
    held.wait()
    bench.click("Remove")
    held.lose()
    bench.page.locator("#saving").get_by_role("button").first.wait_for()
    assert bench.page.locator("#new-text").input_value() == "Names the bank that leads."
    assert held.sent("/remove/") == 0
