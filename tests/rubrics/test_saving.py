"""Saving a line: what is accepted, what is refused, and two people at one line."""

import json

import pytest
from django.test import Client

from curation.tasks.task.models import Task
from rubrics.lines.actions import line_token
from rubrics.versions.models import LineChange
from tests.markup import one_line
from tests.rubrics.desk import JSON, editor, url
from tests.rubrics.walk import lines_of


def test_a_background_save_answers_with_the_time_the_token_and_the_parts(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[0]
    answer = browser.post(
        url("rubric-line", task, line), editor(line, text="Names the breach.", weight="9"), **JSON
    )
    assert answer.status_code == 200
    reply = json.loads(answer.content)
    line.refresh_from_db()
    assert (line.text, line.weight) == ("Names the breach.", 9)
    assert line.provenance == "edited"
    assert reply["version"] == line_token(line)
    assert len(reply["saved_at"].split(":")) == 3
    assert f'id="line-{line.pk}-view"' in reply["html"]
    assert 'id="balance"' in reply["html"]


def test_a_line_set_back_to_its_draft_counts_as_kept(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, weight=9))
    line.refresh_from_db()
    assert line.provenance == "edited"
    browser.post(url("rubric-line", task, line), editor(line, weight=5))
    line.refresh_from_db()
    assert line.provenance == "draft"


def test_without_scripts_done_goes_on_to_the_next_line(browser: Client, task: Task) -> None:
    first, second, *_rest = lines_of(task)
    answer = browser.post(url("rubric-line", task, first), editor(first, then="next"))
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"?line={second.pk}")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("text", "  \u200b ", "Write what the line checks."),
        ("text", "x" * 2001, "the limit is 2,000"),
        ("text", "a\x00b", "NUL"),
        ("weight", "11", "Weights run from 1 to 10."),
        ("weight", "0", "Weights run from 1 to 10."),
        ("weight", "1.5", "whole number"),
        ("weight", "NaN", "whole number"),
        ("weight", "٣", "whole number"),
        ("importance", "huge", "Choose essential, important or optional."),
        ("dimension", "taste", "Choose one of the 16 dimensions."),
    ],
)
def test_a_wrong_field_is_refused_with_everything_typed_kept(
    browser: Client, task: Task, field: str, value: str, sentence: str
) -> None:
    line = lines_of(task)[0]
    sent = editor(line, text="Typed with care.") | {field: value}
    page = browser.post(url("rubric-line", task, line), sent)
    assert page.status_code == 400
    html = page.content.decode()
    assert sentence in html
    if field != "text":
        assert "Typed with care." in html
    reply = browser.post(url("rubric-line", task, line), sent, **JSON)
    assert reply.status_code == 400
    assert field in json.loads(reply.content)["fields"]
    line.refresh_from_db()
    assert line.text.startswith("States figure")


def test_two_tabs_on_one_line_get_both_texts_and_nothing_is_lost(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[0]
    mine, theirs = editor(line, text="Typed in tab one."), editor(line, text="Typed in tab two.")
    assert browser.post(url("rubric-line", task, line), theirs, **JSON).status_code == 200
    answer = browser.post(url("rubric-line", task, line), mine, **JSON)
    assert answer.status_code == 409
    reply = json.loads(answer.content)
    assert reply["code"] == "stale"
    assert reply["yours"] == {"text": "Typed in tab one."}
    assert reply["theirs"] == {"text": "Typed in tab two."}
    line.refresh_from_db()
    assert line.text == "Typed in tab two."
    assert reply["version"] == line_token(line)
    # Choosing mine: the same text once more, on top of the version that was shown.
    again = browser.post(
        url("rubric-line", task, line), mine | {"version": reply["version"]}, **JSON
    )
    assert again.status_code == 200
    line.refresh_from_db()
    assert line.text == "Typed in tab one."


def test_without_scripts_the_conflict_page_shows_both_texts(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    sent = editor(line, text="Typed in tab one.", weight=9)
    browser.post(url("rubric-line", task, line), editor(line, text="Typed in tab two."))
    page = browser.post(url("rubric-line", task, line), sent)
    assert page.status_code == 409
    html = one_line(page.content.decode())
    assert "Typed in tab two." in html
    assert '<textarea id="conflict-line" name="text">Typed in tab one.</textarea>' in html
    assert '<input type="hidden" name="weight" value="9">' in html


def test_a_text_before_is_as_good_as_a_token(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text="Changed elsewhere."))
    sent = {"text": "Mine.", "text_before": line.text}
    assert browser.post(url("rubric-line", task, line), sent, **JSON).status_code == 409
    sent["text_before"] = "Changed elsewhere."
    assert browser.post(url("rubric-line", task, line), sent, **JSON).status_code == 200


def test_another_tabs_weight_survives_a_text_saved_later(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    stale = editor(line, text="New words.")
    browser.post(url("rubric-line", task, line), editor(line, weight=10), **JSON)
    assert browser.post(url("rubric-line", task, line), stale, **JSON).status_code == 200
    line.refresh_from_db()
    assert (line.text, line.weight) == ("New words.", 10)


def test_a_weight_alone_never_meets_a_conflict(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    stale = editor(line, weight=10)
    browser.post(url("rubric-line", task, line), editor(line, text="New words."), **JSON)
    assert browser.post(url("rubric-line", task, line), stale, **JSON).status_code == 200
    line.refresh_from_db()
    assert (line.text, line.weight) == ("New words.", 10)


def test_saving_what_is_there_already_writes_no_history(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line), **JSON)
    assert not LineChange.objects.exists()
