"""The worker computes the marks of lines: pages show the last ones and fetch the new ones."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.base.process.stored_results import CURRENT
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_actions import assign
from review.rounds.assignment_models import Review
from rubrics.lines.actions import edit_line
from rubrics.lines.rearrange import remove_line
from rubrics.linter import rules
from rubrics.linter.rules import RULES, Found, read_rubric
from rubrics.marks import stored
from rubrics.marks.actions import set_aside
from rubrics.marks.models import StoredMarks
from rubrics.marks.queries import rubric_marks
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import Criterion
from tests.markup import words_of
from tests.rubrics.desk import counted, fetch, page, url, work
from tests.rubrics.walk import lines_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slow_worker")]

VAGUE = "Handles the covenant appropriately."
ASKED = "marks are being computed"
ANEW = "These are the last marks. New ones are being computed; they appear by themselves."


@pytest.fixture
def vague(task: Task, author: User) -> Criterion:
    """The first line, which has a mark."""
    return edit_line(actor=author, task=task, criterion=lines_of(task)[0], text=VAGUE)


def test_a_page_computes_no_marks_and_fetches_them_once_the_worker_has(
    browser: Client, task: Task, vague: Criterion, monkeypatch: Any
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(rules, "read_rubric", lambda *_: pytest.fail("computed in the request"))
        first = page(browser, task)
        saved = counted(browser, task, vague, weight=4)
    for html in (first, saved):
        assert ASKED in html
        assert "The marks are being computed; they appear by themselves." in html
        assert "Keep it, because" not in html
        assert fetch(browser, html).status_code == 204
    assert work() == [True]
    fetched = fetch(browser, saved).content.decode()
    assert f'id="line-{vague.pk}-view"' in fetched
    assert "Keep it, because" in fetched
    assert ASKED not in fetched
    now = page(browser, task)
    assert "marks-wait" not in now
    assert '<span class="lint">appropriately</span>' in now
    assert work() == []


def test_without_scripts_the_address_of_new_marks_leads_to_the_page(
    browser: Client, task: Task
) -> None:
    answer = browser.get(url("rubric-mark", task))
    assert answer.headers["Location"] == url("rubric", task) + "#lint"


def test_the_last_marks_stay_at_lines_with_the_same_words_and_leave_those_with_others(
    browser: Client, task: Task, vague: Criterion, author: User
) -> None:
    other = edit_line(
        actor=author, task=task, criterion=lines_of(task)[1], text="Gives a good overview."
    )
    page(browser, task)
    work()
    saved = counted(browser, task, vague, text=f"With care it {VAGUE[0].lower()}{VAGUE[1:]}")
    assert "Keep it, because" not in saved.partition('id="lint"')[0], "other words stand there"
    assert ANEW in words_of(saved)
    stale = page(browser, task)
    assert '<span class="lint">good</span>' in stale
    assert "appropriately</span>" not in stale
    assert work() == [True]
    fetched = fetch(browser, stale, saved).content.decode()
    assert '<span class="lint">appropriately</span>' in fetched
    assert f'id="line-{other.pk}-view"' not in fetched, "only lines whose marks are others now"


def test_new_marks_of_another_line_come_though_this_one_is_saved_before_they_are_fetched(
    browser: Client, task: Task
) -> None:
    one, other = lines_of(task)[:2]
    first = page(browser, task)
    work()
    alike = counted(browser, task, one, text=other.text)
    work()
    one.refresh_from_db()
    weighed = counted(browser, task, one, weight=4)
    work()
    assert "Almost the same" in fetch(browser, first, alike, weighed).content.decode()


def test_a_save_that_needs_no_new_marks_has_those_of_the_other_lines_fetched_once(
    browser: Client, task: Task
) -> None:
    one, other = lines_of(task)[:2]
    first = page(browser, task)
    work()
    alike = counted(browser, task, one, text=other.text)
    work()
    one.refresh_from_db()
    again = counted(browser, task, one)
    assert ASKED not in again
    fetched = fetch(browser, first, alike, again).content.decode()
    assert "Almost the same" in fetched
    assert "marks-wait" not in fetched


def test_the_last_marks_do_not_tell_of_an_earlier_weight(
    browser: Client, task: Task, author: User
) -> None:
    line = edit_line(
        actor=author, task=task, criterion=lines_of(task)[0], importance="essential", weight=2
    )
    page(browser, task)
    work()
    unusual = "Weight 2 is unusual"
    assert unusual in page(browser, task)
    assert unusual not in counted(browser, task, line, weight=3)
    assert unusual not in page(browser, task)
    work()
    assert "Weight 3 is unusual" in page(browser, task)


def test_the_last_marks_name_another_line_by_the_number_that_it_has_now(
    browser: Client, task: Task, author: User
) -> None:
    first, *_, fourth, fifth = lines_of(task)[:5]
    edit_line(actor=author, task=task, criterion=fifth, text=fourth.text)
    page(browser, task)
    work()
    assert "Almost the same as line 4." in page(browser, task)
    remove_line(actor=author, task=task, criterion=first)
    now = page(browser, task)
    assert ASKED in now
    assert "Almost the same as line 3." in now
    assert "Almost the same as line 4." not in now
    remove_line(actor=author, task=task, criterion=fourth)
    assert "Almost the same" not in page(browser, task), "that line is gone"


def test_a_line_that_takes_its_earlier_words_back_needs_no_new_marks(
    browser: Client, task: Task, vague: Criterion
) -> None:
    page(browser, task)
    work()
    assert ASKED in counted(browser, task, vague, text="States the covenant.")
    vague.refresh_from_db()
    back = counted(browser, task, vague, text=VAGUE)
    assert ASKED not in back
    assert '<span class="lint">appropriately</span>' in back
    assert work() == []


@pytest.mark.parametrize("field", ["requirements", "reference_answer"])
def test_another_text_of_the_task_has_the_marks_computed_anew(
    browser: Client, task: Task, field: str
) -> None:
    page(browser, task)
    work()
    Task.objects.filter(pk=task.pk).update(**{field: "State the leverage. Name the lenders."})
    assert ASKED in page(browser, task)
    assert work() == [True]
    assert ASKED not in page(browser, task)


def test_marks_of_an_earlier_edition_of_the_rules_are_not_read(
    browser: Client, task: Task, vague: Criterion, monkeypatch: Any
) -> None:
    page(browser, task)
    work()
    StoredMarks.objects.update(result={"number": 1, "edition": 1, "lines": "as it was then"})
    monkeypatch.setattr(rules, "EDITION", rules.EDITION + 1)
    stale = page(browser, task)
    assert "The marks are being computed; they appear by themselves." in stale
    assert work() == [True]
    assert "Keep it, because" in fetch(browser, stale).content.decode()


def test_what_changes_while_marks_are_computed_is_computed_next(
    browser: Client, task: Task, vague: Criterion, monkeypatch: Any
) -> None:
    page(browser, task)
    compute = rules.read_rubric

    def slowly(*args: Any) -> Found:
        monkeypatch.setattr(rules, "read_rubric", compute)
        counted(browser, task, vague, text="Gives a good overview.")
        return compute(*args)

    monkeypatch.setattr(rules, "read_rubric", slowly)
    assert work() == [True]
    stale = page(browser, task)
    assert ASKED in stale
    assert '<span class="lint">' not in stale
    assert work() == [True]
    assert '<span class="lint">good</span>' in page(browser, task)


def test_what_a_rubric_is_sent_with_stays_though_a_worker_was_computing_the_marks_of_before(
    browser: Client, task: Task, vague: Criterion, author: User, monkeypatch: Any
) -> None:
    page(browser, task)
    compute = rules.read_rubric

    def slowly(*args: Any) -> Found:
        monkeypatch.setattr(rules, "read_rubric", compute)
        edit_line(actor=author, task=task, criterion=vague, text="Gives a good overview.")
        send_to_review(actor=author, task=task)
        return compute(*args)

    monkeypatch.setattr(rules, "read_rubric", slowly)
    assert work() == [True]
    last = stored.last_marks(task, vague.version, list(vague.version.criteria.all()))
    assert last.state == CURRENT
    assert "good" in [mark.words for mark in last.found.lines[0]]


def test_marks_are_shown_in_the_language_of_their_reader(
    browser: Client, task: Task, author: User
) -> None:
    texts = ["Shows a deep understanding of lease accounting.", "States 5.", "States 5. "]
    for line, text in zip(lines_of(task), texts, strict=False):
        edit_line(actor=author, task=task, criterion=line, text=text)
    page(browser, task)
    work()
    assert "it is about what its writer knows or means" in page(browser, task)
    author.language = "zh-hans"
    author.save(update_fields=["language"])
    assert "作者" in page(browser, task)
    assert "what its writer" not in page(browser, task)


def test_a_mark_that_the_page_still_shows_is_decided_by_the_lines_as_they_are(
    browser: Client, task: Task, vague: Criterion, author: User
) -> None:
    page(browser, task)
    work()
    token = rubric_marks(task, lines_of(task)).whole[0].token
    Task.objects.filter(pk=task.pk).update(requirements="State figure 2 of the covenant table.")
    assert "No line checks" in page(browser, task), "the last marks"
    gone = browser.post(url("rubric-mark", task), {"mark": token, f"because-{token}": "Known."})
    assert gone.status_code == 409


def test_the_reviewers_page_shows_what_was_computed_when_the_rubric_was_sent(
    task: Task,
    vague: Criterion,
    author: User,
    staff: User,
    person: Any,
    finance: Any,
    sign_in: Any,
    monkeypatch: Any,
) -> None:
    mark = rubric_marks(task, lines_of(task)).lines[0][0]
    why = "The annex lists what is appropriate."
    set_aside(actor=author, task=task, criterion=vague, token=mark.token, reason=why)
    reviewer = person("reviewer", finance)
    send_to_review(actor=author, task=task)
    task.refresh_from_db()
    review = Review.objects.filter(task=task).first() or assign(
        task=task, reviewer=reviewer, actor=staff
    )
    monkeypatch.setattr(rules, "read_rubric", lambda *_: pytest.fail("computed in the request"))
    address = reverse("review", args=[review.pk])
    assert why in sign_in(reviewer).get(address).content.decode()
    assert work() == []
    monkeypatch.setattr(rules, "read_rubric", read_rubric)
    monkeypatch.setattr(rules, "EDITION", rules.EDITION + 1)
    assert why in sign_in(reviewer).get(address).content.decode()
    StoredMarks.objects.all().delete()  # sent before marks were stored
    assert why in sign_in(reviewer).get(address).content.decode()


@pytest.mark.parametrize("first", [0, 15])
def test_stored_marks_are_the_computed_ones(
    browser: Client, task: Task, author: User, first: int
) -> None:
    bad = [example for rule in RULES for example in rule.examples][first:]
    for line, example in zip(lines_of(task), bad, strict=False):
        values = {"text": example.bad, "importance": example.importance, "weight": example.weight}
        edit_line(actor=author, task=task, criterion=line, **values)
    page(browser, task)
    work()
    lines = lines_of(task)
    last = stored.last_marks(task, lines[0].version, lines)
    assert last.state == CURRENT
    assert any(last.found.lines)
    assert last.found == read_rubric(lines, stored.context_of(task))
