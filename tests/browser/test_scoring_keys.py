"""A sheet is scored with the keyboard alone: passages, quotation, verdict, reason, next line."""

from typing import Any

import pytest

from config.sample import anchors
from curation.joining.people import User
from judge.scoring.agreement.meta_actions import take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.models import Anchor
from judge.scoring.sheets.actions import fill_sheet
from judge.scoring.sheets.models import Sheet, SheetLine
from tests.base.access.judge_things import finish_scoring
from tests.browser.desk import status
from tests.browser.held import Held
from tests.programme import sample_programme

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_passage_is_found_quoted_and_saved_without_a_mouse(desk: Any) -> None:
    sample_programme()
    sheet = Sheet.objects.get(user__email="scorer@example.test", state="open")
    done = sheet.lines.exclude(met=None).count()
    window = desk("scorer@example.test")
    window.open(f"/sheets/{sheet.pk}/")
    page = window.page
    window.press("f")
    page.locator("textarea:focus").wait_for()
    window.press("Escape", "p")
    first = page.evaluate("getSelection().toString()").strip()
    assert first
    # Both keys in one breath, before the browser has told anyone of the new selection.
    page.evaluate(
        "() => ['p', 'q'].forEach(key => document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', { key, bubbles: true })))"
    )
    quoted = page.evaluate("document.activeElement.value").strip()
    chosen = quoted.removeprefix("> ")
    assert chosen not in ("", first)
    assert quoted == f"> {chosen}"
    assert chosen in " ".join(sheet.response.text.split())
    with page.expect_response(lambda answer: "zebra" in (answer.request.post_data or "")):
        page.keyboard.type("That is no zebra")
        window.press("Control+Enter")
    page.wait_for_function(
        "n => document.querySelectorAll('.line[data-state=done]').length === n", arg=done + 1
    )
    line = SheetLine.objects.filter(sheet=sheet).latest("at")
    assert (line.met, line.rationale.startswith(f"> {chosen}")) == (False, True)
    sheet.refresh_from_db()
    assert sheet.saved_at is not None


def test_a_sheet_sent_too_early_says_how_many_lines_are_open_and_asks(desk: Any) -> None:
    sample_programme()
    sheet = Sheet.objects.get(user__email="scorer@example.test", state="open")
    lines = list(sheet.version.criteria.order_by("position", "id"))
    done = set(sheet.lines.exclude(met=None).values_list("criterion_id", flat=True))
    first = next(n for n, line in enumerate(lines, start=1) if line.pk not in done)
    window = desk("scorer@example.test")
    page = window.page
    window.open(f"/sheets/{sheet.pk}/?line={lines[-1].pk}")
    window.press("Control+Shift+Enter")
    window.reads(f"{len(lines) - len(done)} of {len(lines)} lines are still open")
    window.click("Stay here")
    page.locator("#lines-open").wait_for(state="hidden")
    assert page.locator(".line.is-current").get_attribute("data-line") == str(len(lines))
    window.press("Control+Shift+Enter")
    window.click(f"Go to line {first}")
    page.locator(f".line.is-current[data-line='{first}']").wait_for()
    window.reads("Choose TRUE or FALSE.")
    window.press("f")
    page.locator(".line.is-current [data-error=met]").wait_for(state="hidden")
    sheet.refresh_from_db()
    assert sheet.state == "open"


def test_a_line_on_which_two_scorers_differ_says_which_keys_settle_it(
    desk: Any, person: Any
) -> None:
    sample_programme()
    anchor = Anchor.objects.get(task__key=anchors.UNDER_WAY)
    Anchor.objects.filter(pk=anchor.pk).update(scorers=2)
    second = person("second", anchor.task.domain)
    finish_scoring(data_of=anchors.UNDER_WAY)
    sheet = take_anchor(actor=second, anchor=Anchor.objects.get(pk=anchor.pk))
    keys = sheet.version.criteria.values_list("key", flat=True)
    fill_sheet(actor=second, sheet=sheet, verdicts=dict.fromkeys(keys, (False, "It does not.")))
    take_meta(actor=User.objects.get(email="senior@example.test"), anchor=anchor)
    window = desk("senior@example.test")
    window.open(f"/meta/{anchor.pk}/")
    window.page.locator(".note a").first.click()  # the first line on which they differ
    window.page.locator(".line.is-current [data-no-key]").wait_for()
    window.press("a")
    window.reads("The scorers differ here: say with T or F which verdict counts.")
    window.press("t")
    window.page.locator(".line.is-current textarea:focus").wait_for()
    whole = "Page two says so."  # typing may pause long enough for a save in between
    with window.page.expect_response(lambda answer: whole in (answer.request.post_data or "")):
        window.page.keyboard.type(whole)
        window.press("Control+Enter")
    window.page.locator(".line .state", has_text="settled").wait_for()
    window.open(f"/meta/{anchor.pk}/")
    assert window.page.locator(".line .state", has_text="settled").count() == 1
    kept = window.page.eval_on_selector_all("textarea", "boxes => boxes.map(box => box.value)")
    assert kept.count(whole) == 1


def open_sheet(desk: Any) -> Any:
    """The scorer's window, with the open sheet of the sample."""
    sample_programme()
    sheet = Sheet.objects.get(user__email="scorer@example.test", state="open")
    window = desk("scorer@example.test")
    window.open(f"/sheets/{sheet.pk}/")
    return window


def two_tabs(desk: Any) -> tuple[Any, Any]:
    """The same window, and a second tab with the same sheet."""
    window = open_sheet(desk)
    two = window.tab()
    two.goto(window.page.url)
    two.wait_for_load_state("load")
    return window, two


def test_two_tabs_with_two_verdicts_ask_in_the_words_of_the_form(desk: Any) -> None:
    window, two = two_tabs(desk)
    for page, key, status_of_save in ((window.page, "t", 200), (two, "f", 409)):
        with page.expect_response(lambda answer: "/lines/" in answer.url) as answer:
            page.keyboard.press(key)
            page.locator("body").evaluate("() => document.activeElement.blur()")
        assert status(answer.value) == status_of_save
    window.problems.clear()
    dialog = two.get_by_role("dialog", name="This text changed while you were writing")
    dialog.wait_for()
    assert dialog.locator("[data-conflict-mine]").inner_text().strip() == "FALSE"
    assert dialog.locator("[data-conflict-theirs]").inner_text().strip() == "TRUE"


def test_false_leads_into_the_reason_that_was_begun(desk: Any) -> None:
    """Who goes on writing must not press the keys of other lines."""
    window = open_sheet(desk)
    page = window.page
    window.press("f")
    page.locator("textarea:focus").wait_for()
    page.keyboard.type("The table says")
    window.press("Escape", "f")
    page.locator("textarea:focus").wait_for()
    page.keyboard.type(" so")
    assert page.evaluate("document.activeElement.value") == "The table says so"


def test_a_conflict_on_one_line_does_not_interrupt_typing_on_the_next(desk: Any) -> None:
    window, two = two_tabs(desk)
    with window.page.expect_response(lambda answer: "/lines/" in answer.url):
        window.press("f")
        window.page.locator("textarea:focus").wait_for()
        window.page.keyboard.type("The first tab.")
        window.press("Escape")
    held = Held(two, "/lines/")
    two.keyboard.press("f")
    two.locator("textarea:focus").wait_for()
    two.keyboard.type("The second tab.")
    two.keyboard.press("Escape")
    held.wait()
    two.keyboard.press("n")
    two.keyboard.press("f")
    two.locator("textarea:focus").wait_for()
    held.go_on()  # the first line; the save of the second is still on its way
    two.locator("#saving").get_by_text("Two versions: choose one").wait_for()
    two.keyboard.type("It has 12 figures.")
    assert two.evaluate("document.activeElement.value") == "It has 12 figures."
    assert two.locator("dialog[open]").count() == 0
    two.keyboard.press("Escape")
    two.get_by_role("dialog", name="This text changed while you were writing").wait_for()
    window.problems.clear()


def test_a_verdict_without_its_reason_says_so_in_the_list(desk: Any) -> None:
    window = open_sheet(desk)
    page = window.page
    state = page.locator(".line.is-current [data-state-of-line]")
    line = page.locator(".line.is-current").get_attribute("id")
    with page.expect_response(lambda answer: "/lines/" in answer.url):
        window.press("f")
    assert "reason missing" in state.inner_text()
    page.reload()
    assert "reason missing" in page.locator(f"#{line} [data-state-of-line]").inner_text()
    page.locator(f"#{line} textarea").evaluate(
        "box => { box.value = 'So.'; box.dispatchEvent(new Event('input', { bubbles: true })) }"
    )
    assert "reason missing" not in page.locator(f"#{line} [data-state-of-line]").inner_text()
