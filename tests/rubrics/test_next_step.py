"""What comes next on the author's page: the one filled button, and where "Done" leads."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.models import LineChange
from tests.markup import one_line
from tests.rubrics.desk import JSON, done, editor, filled, send, url
from tests.rubrics.walk import lines_of, open_version


def page(browser: Client, task: Task, query: str = "") -> str:
    return browser.get(url("rubric", task) + query).content.decode()


def read_all(browser: Client, task: Task) -> None:
    for line in lines_of(task):
        done(browser, task, line)


def test_one_button_is_filled_and_it_is_the_next_step(
    refining: Callable[..., Task], browser: Client
) -> None:
    task = refining(lines=14)
    assert filled(page(browser, task)) == ["Done, next line"]  # 14 lines to read
    read_all(browser, task)
    assert filled(page(browser, task)) == ["Add a line"]  # a rubric has 15
    browser.post(url("rubric-line-add", task), {"text": "Names the lender's consent."})
    assert filled(page(browser, task)) == ["Send to review"]
    first, second, *_rest = lines_of(task)
    browser.post(url("rubric-line", task, second), editor(second, text=first.text))
    assert filled(page(browser, task)) == ["Done, next line"]  # two lines say the same


def test_an_empty_rubric_begins_with_a_line(browser: Client, task: Task) -> None:
    open_version(task).criteria.all().delete()
    html = page(browser, task)
    assert filled(html) == ["Add a line"]
    assert "No line yet" in html


def test_the_page_opens_at_the_first_line_that_was_not_read(browser: Client, task: Task) -> None:
    first, second, third, *_rest = lines_of(task)
    html = page(browser, task)
    assert f'action="{url("rubric-line", task, first)}"' in html
    assert "15 lines drafted by Model D." in html
    done(browser, task, first)
    browser.post(url("rubric-line", task, second), editor(second, weight=9))
    html = page(browser, task)
    assert f'action="{url("rubric-line", task, third)}"' in html
    assert "13 drafted lines are not confirmed yet." in one_line(html)
    assert "13 not confirmed" in html


def test_done_leads_to_the_next_line_to_read_and_after_the_last_onward(
    browser: Client, task: Task
) -> None:
    lines = lines_of(task)
    for line in lines[:3]:
        done(browser, task, line)
    assert done(browser, task, lines[0])["Location"].endswith(f"?line={lines[3].pk}")
    for line in lines[4:]:
        done(browser, task, line)
    assert done(browser, task, lines[-1])["Location"].endswith(f"?line={lines[3].pk}")
    done(browser, task, lines[3])
    assert done(browser, task, lines[5])["Location"].endswith(f"?line={lines[6].pk}")
    assert done(browser, task, lines[-1])["Location"].endswith(f"?line={lines[-1].pk}")
    assert filled(page(browser, task)) == ["Send to review"]


def test_reading_a_line_is_recorded_once_and_is_no_step_to_undo(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[0]
    for _twice in range(2):
        done(browser, task, line)
    assert LineChange.objects.get().kind == "confirmed"
    assert 'id="undo" hidden' in page(browser, task)


def test_a_background_save_reads_nothing(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    answer = browser.post(url("rubric-line", task, line), editor(line), **JSON)
    assert "15 not confirmed" in answer.json()["html"]
    answer = browser.post(url("rubric-line", task, line), {"then": "next"}, **JSON)
    assert "14 not confirmed" in answer.json()["html"]


@pytest.mark.parametrize("step", ["rubric-line-move", "rubric-line-merge", "rubric-line-split"])
def test_a_line_that_was_worked_on_counts_as_read(browser: Client, task: Task, step: str) -> None:
    line = lines_of(task)[4]
    browser.post(url(step, task, line), {"by": "1", "at": "14"})
    shown = page(browser, task, f"?line={line.pk}")
    view = shown.split(f'id="line-{line.pk}-view"')[1].split(">")[0]
    assert "data-unread" not in view


def test_lines_nobody_read_are_sent_only_when_the_author_says_so(
    browser: Client, task: Task
) -> None:
    lines = lines_of(task)
    done(browser, task, lines[0])
    answer = browser.post(url("rubric-send", task))
    assert answer.status_code == 400
    html = one_line(answer.content.decode())
    assert "14 drafted lines are not confirmed yet." in html
    assert f'action="{url("rubric-line", task, lines[1])}"' in html
    assert 'name="as_drafted" value="1"' in html
    assert filled(html) == ["Done, next line"]
    assert send(browser, task).status_code == 302


def test_what_is_missing_comes_before_what_is_unread(
    refining: Callable[..., Task], browser: Client
) -> None:
    task = refining(lines=14)
    RubricPolicy.objects.create(domain=task.domain, beyond="refuse")
    html = browser.post(url("rubric-send", task)).content.decode()
    assert "Add 1 more." in html
    assert "as_drafted" not in html


def test_sending_keeps_what_stands_in_the_editor(browser: Client, task: Task) -> None:
    line = lines_of(task)[2]
    sent = editor(line, text="Names the gap at the step-down.", line=line.pk)
    assert send(browser, task, **sent).status_code == 302
    line.refresh_from_db()
    assert line.text == "Names the gap at the step-down."


def test_an_editor_that_cannot_be_stored_stops_the_sending_with_its_words(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[2]
    answer = send(browser, task, **editor(line, text="Typed with care.", weight="11", line=line.pk))
    assert answer.status_code == 400
    assert "Typed with care." in answer.content.decode()
    assert "Weights run from 1 to 10." in answer.content.decode()
    task.refresh_from_db()
    assert task.stage == "refining"


def test_an_editor_that_was_overtaken_stops_the_sending_with_both_texts(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[2]
    stale = editor(line, text="Typed in tab one.", line=line.pk)
    browser.post(url("rubric-line", task, line), editor(line, text="Typed in tab two."))
    answer = send(browser, task, **stale)
    assert answer.status_code == 409
    assert "Typed in tab one." in answer.content.decode()
    assert "Typed in tab two." in answer.content.decode()


def test_a_line_of_another_task_is_not_stored_along(
    refining: Callable[..., Task], browser: Client, task: Task, stranger: User, sign_in: Any
) -> None:
    foreign = lines_of(refining(title="Another one"))[0]
    send(browser, task, text="Not mine to change.", line=foreign.pk)
    foreign.refresh_from_db()
    assert foreign.text.startswith("States figure")
    assert send(sign_in(stranger), task, text="Nor mine.", line=foreign.pk).status_code == 404
