"""Sending a rubric to its reviewers, and what is still to do before that."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.task.models import Task
from tests.rubrics.desk import JSON, editor, send, url
from tests.rubrics.walk import lines_of


@pytest.mark.parametrize(
    ("lines", "sent"), [(14, False), (15, True), (40, True), (41, False)], ids=str
)
def test_a_rubric_of_15_to_40_lines_can_be_sent(
    refining: Callable[..., Task], browser: Client, peer: User, lines: int, sent: bool
) -> None:
    task = refining(lines=lines)
    answer = send(browser, task)
    task.refresh_from_db()
    assert answer.status_code == (302 if sent else 400)
    assert task.stage == (Stage.IN_REVIEW if sent else Stage.REFINING)
    if not sent:
        wanted = "Add 1 more." if lines == 14 else "Merge or remove 1."
        assert wanted in answer.content.decode()


def test_the_limits_come_from_the_settings(
    refining: Callable[..., Task], browser: Client, settings: Any
) -> None:
    settings.RUBRIC_MIN_CRITERIA, settings.RUBRIC_MAX_CRITERIA = 2, 3
    assert send(browser, refining(lines=4)).status_code == 400
    assert send(browser, refining(lines=3, title="B")).status_code == 302


def test_two_lines_that_say_the_same_stop_the_sending_and_are_opened(
    browser: Client, task: Task
) -> None:
    first, second, *_rest = lines_of(task)
    browser.post(url("rubric-line", task, second), editor(second, text=f"  {first.text.upper()} "))
    page = send(browser, task)
    assert page.status_code == 400
    html = page.content.decode()
    assert "Lines 1 and 2 say the same." in html
    assert f'action="{url("rubric-line", task, second)}"' in html


def test_after_sending_the_lines_are_locked_and_a_late_save_is_a_conflict(
    browser: Client, task: Task, peer: User
) -> None:
    line = lines_of(task)[0]
    send(browser, task)
    page = browser.get(url("rubric", task)).content.decode()
    assert "Locked: the rubric is with its reviewer." in page
    late = browser.post(url("rubric-line", task, line), editor(line, text="Too late."), **JSON)
    assert late.status_code == 409
    assert json.loads(late.content)["code"] == "wrong_stage"
    for name in ("rubric-line-remove", "rubric-line-merge", "rubric-line-split"):
        assert browser.post(url(name, task, line), editor(line)).status_code == 409
    assert browser.post(url("rubric-line-add", task), {"text": "x y z"}).status_code == 409
    assert send(browser, task).status_code == 409
    line.refresh_from_db()
    assert line.text.startswith("States figure")
    assert open_count(task) == 0


def open_count(task: Task) -> int:
    return task.rubric_versions.filter(frozen_at__isnull=True).count()
