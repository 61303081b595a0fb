"""Steps on lines: add, move, split, merge, remove, and undoing each of them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.versions.models import LineChange
from tests.rubrics.desk import editor, url
from tests.rubrics.walk import lines_of


def test_a_line_is_added_at_the_end_and_opened(browser: Client, task: Task) -> None:
    answer = browser.post(url("rubric-line-add", task), {"text": "Names the lender's consent."})
    line = lines_of(task)[-1]
    assert line.text == "Names the lender's consent."
    assert (line.provenance, line.weight, line.importance) == ("added", 5, "important")
    assert answer["Location"].endswith(f"?line={line.pk}")


def test_an_empty_new_line_is_refused_and_said_so(browser: Client, task: Task) -> None:
    page = browser.post(url("rubric-line-add", task), {"text": "  "})
    assert page.status_code == 400
    assert "Write what the line checks." in page.content.decode()


def test_a_key_is_never_used_again(browser: Client, task: Task) -> None:
    browser.post(url("rubric-line-add", task), {"text": "First of mine."})
    first = lines_of(task)[-1]
    browser.post(url("rubric-line-remove", task, first))
    browser.post(url("rubric-line-add", task), {"text": "Second of mine."})
    assert lines_of(task)[-1].key != first.key


def test_a_line_moves_up_and_down_and_stays_at_the_ends(browser: Client, task: Task) -> None:
    first, second, *_rest = lines_of(task)
    browser.post(url("rubric-line-move", task, first), {"by": "1"})
    assert [line.pk for line in lines_of(task)[:2]] == [second.pk, first.pk]
    browser.post(url("rubric-line-move", task, second), {"by": "-1"})
    assert lines_of(task)[0].pk == second.pk
    browser.post(url("rubric-line-move", task, second), {"by": "-999"})
    assert lines_of(task)[0].pk == second.pk
    assert browser.post(url("rubric-line-move", task, second), {"by": "up"}).status_code == 400


def test_a_split_keeps_the_key_for_the_first_and_the_weight_for_both(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[2]
    text = "States the gap as EUR 1.15 million of EBITDA and EUR 3.75 million of debt."
    browser.post(url("rubric-line-split", task, line), editor(line, text=text, weight=7))
    first, second = lines_of(task)[2:4]
    assert (first.pk, first.key) == (line.pk, line.key)
    assert first.text == "States the gap as EUR 1.15 million of EBITDA."
    assert second.text == "EUR 3.75 million of debt."
    assert second.key not in {line.key for line in lines_of(task) if line.pk != second.pk}
    assert first.weight == second.weight == 7
    assert second.provenance == "added"


def test_a_split_without_a_joining_word_asks_for_the_place(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    answer = browser.post(url("rubric-line-split", task, line), {})
    assert answer["Location"].endswith(f"?line={line.pk}&split=1")
    page = browser.get(answer["Location"]).content.decode()
    assert "no word in it joins two statements. Where does the second line begin?" in page
    at = line.text.index("of the covenant")
    browser.post(url("rubric-line-split", task, line), {"at": str(at)})
    assert lines_of(task)[1].text == "Of the covenant table as EUR 101 million."


def test_a_split_at_an_impossible_place_changes_nothing(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    assert browser.post(url("rubric-line-split", task, line), {"at": "0"}).status_code == 400
    assert browser.post(url("rubric-line-split", task, line), {"at": "99999"}).status_code == 400
    assert len(lines_of(task)) == 15


def test_merging_keeps_the_heavier_importance_and_weight(browser: Client, task: Task) -> None:
    first, second = lines_of(task)[1:3]  # optional 3 and essential 8
    browser.post(url("rubric-line-merge", task, first), {})
    merged = lines_of(task)[1]
    assert merged.key == first.key
    assert second.text[1:].rstrip(".") in merged.text
    assert (merged.importance, merged.weight) == ("essential", 8)
    assert len(lines_of(task)) == 14


def test_the_last_line_cannot_be_merged(browser: Client, task: Task) -> None:
    first, second, *_rest, last = lines_of(task)
    browser.post(url("rubric-line", task, second), editor(second, text=first.text))
    page = browser.post(url("rubric-line-merge", task, last), {})
    assert page.status_code == 400
    said = page.content.decode().split('id="refusal"')[1].split("</section>")[0]
    assert "no next one" in said
    assert "say the same" not in said.split('id="drafting"')[0]  # that is asked on sending


def undo_of_the_toast(browser: Client, location: str) -> str:
    """The address the toast's button posts to."""
    page = browser.get(location).content.decode()
    return page.split('class="toast"')[1].split('action="')[1].split('"')[0]


def test_a_removed_line_comes_back_to_its_place_and_only_once(browser: Client, task: Task) -> None:
    line = lines_of(task)[3]
    answer = browser.post(url("rubric-line-remove", task, line))
    assert line.key not in {other.key for other in lines_of(task)}
    undo = undo_of_the_toast(browser, answer["Location"])
    assert browser.post(undo).status_code == 302
    back = lines_of(task)[3]
    assert (back.key, back.text, back.source_id) == (line.key, line.text, line.source_id)
    assert browser.post(undo).status_code == 409
    assert len(lines_of(task)) == 15


@pytest.mark.parametrize("step", ["split", "merge", "move", "edit", "add", "bring_back"])
def test_every_step_can_be_undone(browser: Client, task: Task, step: str) -> None:
    def content() -> list[tuple]:
        return [(x.key, x.text, x.weight, x.importance) for x in lines_of(task)]

    line = lines_of(task)[5]
    if step == "bring_back":
        browser.post(url("rubric-line-remove", task, line))
    before = content()
    if step == "split":
        browser.post(url("rubric-line-split", task, line), {"at": str(line.text.index("of the"))})
    elif step == "merge":
        browser.post(url("rubric-line-merge", task, line))
    elif step == "move":
        browser.post(url("rubric-line-move", task, line), {"by": "-3"})
    elif step == "edit":
        browser.post(url("rubric-line", task, line), editor(line, text="Other words."))
    elif step == "add":
        browser.post(url("rubric-line-add", task), {"text": "One more check."})
    else:
        browser.post(url("rubric-draft", task), {"bring_back": line.source_id})
    assert content() != before
    change = LineChange.objects.latest("id")
    browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk]))
    assert content() == before


STEPS = {
    "split of line 6": ("rubric-line-split", {"at": "7"}),
    "merge into line 6": ("rubric-line-merge", {}),
    "move of line 3": ("rubric-line-move", {"by": "-3"}),
    "removal of line 6": ("rubric-line-remove", {}),
    "weight of line 6": ("rubric-line", {"weight": "9"}),
    "importance of line 6": ("rubric-line", {"importance": "optional"}),
    "dimension of line 6": ("rubric-line", {"dimension": "safety"}),
    "wording of line 6": ("rubric-line", {"text": "Other words."}),
    "change of line 6": ("rubric-line", {"text": "Other words.", "weight": "9"}),
}


@pytest.mark.parametrize("named", STEPS)
def test_the_button_names_the_step_it_takes_back_and_the_answer_the_one_it_took(
    browser: Client, task: Task, named: str
) -> None:
    line = lines_of(task)[5]
    name, fields = STEPS[named]
    browser.post(url(name, task, line), {**editor(line), **fields})
    assert f"Undo: {named}<" in browser.get(url("rubric", task)).content.decode()
    change = LineChange.objects.latest("id")
    browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk]))
    page = browser.get(url("rubric", task)).content.decode()
    assert f"Undone: {named}." in page
    assert "Undo: " not in page


def test_a_new_line_is_named_by_its_number_when_it_is_undone(browser: Client, task: Task) -> None:
    browser.post(url("rubric-line-add", task), {"text": "One more check."})
    assert "Undo: new line 16<" in browser.get(url("rubric", task)).content.decode()


def test_several_lines_are_counted_by_the_button_that_undoes(browser: Client, task: Task) -> None:
    chosen = [line.pk for line in lines_of(task)[2:4]]
    browser.post(url("rubric-lines-several", task), {"lines": chosen, "set": "weight:9"})
    assert "Undo: 2 lines edited<" in browser.get(url("rubric", task)).content.decode()


def test_a_line_of_one_word_cannot_be_split_and_the_page_says_why(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[3]
    answer = browser.post(url("rubric-line-split", task, line), editor(line, text="Consents."))
    assert answer.status_code == 400
    assert "Line 4 is one word, so it cannot be split." in answer.content.decode()
    assert len(lines_of(task)) == 15
    assert lines_of(task)[3].text == "Consents."  # what was typed is kept all the same


def test_a_step_on_a_line_that_changed_since_is_not_undone(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text="Second text."))
    change = LineChange.objects.latest("id")
    line.refresh_from_db()
    browser.post(url("rubric-line", task, line), editor(line, text="Third text."))
    answer = browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk]))
    assert answer.status_code == 409
    line.refresh_from_db()
    assert line.text == "Third text."


def test_the_undo_of_another_task_is_not_there(
    refining: Callable[..., Task], browser: Client, task: Task, sign_in: Any, stranger: User
) -> None:
    other = refining(title="Another one")
    browser.post(url("rubric-line-remove", other, lines_of(other)[0]))
    change = LineChange.objects.latest("id")
    assert (
        browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk])).status_code == 404
    )
    assert (
        sign_in(stranger)
        .post(reverse("rubric-line-restore", args=[other.pk, change.pk]))
        .status_code
        == 404
    )
