"""Pages say that the marks of lines could not be computed only where nobody will soon try again."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.base.queue import ends, leases
from judge.base.queue.failing import failing_work
from judge.base.queue.models import MachineWork
from judge.base.queue.send import LINT
from rubrics.lines.actions import edit_line
from rubrics.linter import rules
from rubrics.marks.models import StoredMarks
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import Criterion
from tests.markup import words_of
from tests.rubrics.desk import counted, fetch, page, work
from tests.rubrics.walk import lines_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slow_worker")]

VAGUE = "Handles the covenant appropriately."
ASKED = "marks are being computed"
FAILED = "The marks could not be computed."


@pytest.fixture
def vague(task: Task, author: User) -> Criterion:
    """The first line, which has a mark."""
    return edit_line(actor=author, task=task, criterion=lines_of(task)[0], text=VAGUE)


def test_work_that_is_put_aside_is_said_and_the_next_change_begins_anew(
    browser: Client, task: Task, vague: Criterion
) -> None:
    waiting = page(browser, task)
    row = StoredMarks.objects.get()
    claim = leases.claim_work(LINT, row.pk, leases.new_token())
    assert claim is not None
    assert fetch(browser, waiting).status_code == 204, "it is being worked on"
    leases.put_aside(claim, ends.SEVERAL)
    fetched = fetch(browser, waiting).content.decode()
    for html in (fetched, page(browser, task)):
        assert FAILED in words_of(html)
        assert "your next change has them computed again" in words_of(html)
        assert ASKED not in html
        assert "marks-wait" not in html, "nobody asks again and again"
    assert [(one.name, one.url) for one in failing_work()] == [
        ("Marks of rubric lines", reverse("staff-task", args=[task.pk]))
    ]
    assert work() == []
    assert ASKED in counted(browser, task, vague, weight=4)
    work()  # alone
    assert '<span class="lint">appropriately</span>' in page(browser, task)
    assert not list(failing_work())


def breaks(*_: Any) -> None:
    raise RuntimeError("a rule is at fault")


def test_a_computation_that_breaks_again_and_again_is_said_and_tried_again(
    browser: Client, task: Task, vague: Criterion, monkeypatch: Any
) -> None:
    waiting = page(browser, task)
    with monkeypatch.context() as patched:
        patched.setattr(rules, "read_rubric", breaks)
        for _time in range(2):
            work()
            assert fetch(browser, waiting).status_code == 204, "it is tried again by itself"
            assert list(failing_work()), "staff see the first failure"
            its_time_has_come()
        work()
    assert FAILED in words_of(fetch(browser, waiting).content.decode())
    its_time_has_come()
    assert work() == [True]
    assert "Keep it, because" in page(browser, task)


def its_time_has_come() -> None:
    MachineWork.objects.update(updated_at=timezone.now() - timedelta(hours=1))


def test_a_computation_that_a_restart_interrupts_is_waited_for(
    browser: Client, task: Task, vague: Criterion, monkeypatch: Any
) -> None:
    waiting = page(browser, task)

    def stops(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(rules, "read_rubric", stops)
        with pytest.raises(KeyboardInterrupt):
            work()
    assert fetch(browser, waiting).status_code == 204
    assert ASKED in page(browser, task)
    its_time_has_come()
    work()
    assert "Keep it, because" in fetch(browser, waiting).content.decode()


def test_a_page_that_waits_for_marks_is_loaded_again_when_the_rubric_was_sent_elsewhere(
    browser: Client, task: Task, vague: Criterion, author: User
) -> None:
    waiting = page(browser, task)
    send_to_review(actor=author, task=task)
    answer = fetch(browser, waiting)
    assert (answer.status_code, answer.headers.get("X-Reload")) == (200, "1")
