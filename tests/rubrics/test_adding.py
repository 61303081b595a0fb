"""Lines that come to a rubric: typed, pasted, taken from a passage, copied from another rubric."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import Criterion, LineChange
from tests.rubrics.desk import editor, url
from tests.rubrics.walk import lines_of, open_version, to_refining

PASSAGE = "Net debt rises to EUR 134.4 million."


def undo(browser: Client, task: Task) -> Any:
    change = LineChange.objects.filter(version__task=task).latest("id")
    return browser.post(reverse("rubric-line-restore", args=[task.pk, change.pk]))


def test_a_passage_becomes_a_line_behind_the_current_one_and_stays_with_it(
    browser: Client, task: Task
) -> None:
    current = lines_of(task)[3]
    browser.post(
        url("rubric-line-add", task), {"text": PASSAGE, "quote": PASSAGE, "after": current.pk}
    )
    line = lines_of(task)[4]
    assert (line.text, line.quote, line.provenance) == (PASSAGE, PASSAGE, "added")
    browser.post(url("rubric-line", task, line), editor(line, text="States net debt."))
    line.refresh_from_db()
    assert line.quote == PASSAGE
    page = browser.get(url("rubric", task)).content.decode()
    assert f'id="line-{line.pk}-quote">{PASSAGE}</p>' in page


def test_a_line_is_given_another_passage_and_the_step_is_undone(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line-passage", task, line), {"quote": "I recommend consent."})
    line.refresh_from_db()
    assert (line.quote, line.provenance) == ("I recommend consent.", "draft")
    undo(browser, task)
    line.refresh_from_db()
    assert line.quote == PASSAGE
    browser.post(url("rubric-line-passage", task, line), {"quote": ""})
    line.refresh_from_db()
    assert line.quote == ""


@pytest.mark.parametrize("quote", ["x" * 2001, "a\x00b"])
def test_a_passage_that_cannot_be_stored_is_refused(
    browser: Client, task: Task, quote: str
) -> None:
    line = lines_of(task)[0]
    assert browser.post(url("rubric-line-passage", task, line), {"quote": quote}).status_code == 400
    answer = browser.post(url("rubric-line-add", task), {"text": "Typed.", "quote": quote})
    assert answer.status_code == 400
    assert "Typed.</textarea>" in answer.content.decode()
    assert len(lines_of(task)) == 15
    line.refresh_from_db()
    assert line.quote == PASSAGE


def test_several_pasted_rows_become_several_lines_in_one_step(browser: Client, task: Task) -> None:
    answer = browser.post(
        url("rubric-line-add", task), {"text": "Names the lender.\r\n\n  Names the date.\n"}
    )
    assert [x.text for x in lines_of(task)[15:]] == ["Names the lender.", "Names the date."]
    assert "2 lines added" in browser.get(answer["Location"]).content.decode()
    undo(browser, task)
    assert len(lines_of(task)) == 15


def test_one_row_too_long_adds_none_of_them_and_keeps_what_was_typed(
    browser: Client, task: Task
) -> None:
    page = browser.post(url("rubric-line-add", task), {"text": "Short.\n" + "x" * 2001})
    assert page.status_code == 400
    assert "Short." in page.content.decode()
    assert (
        browser.post(url("rubric-line-add", task), {"text": "A line.\n" * 101}).status_code == 400
    )
    assert len(lines_of(task)) == 15


def test_the_same_form_sent_twice_adds_its_line_once(browser: Client, task: Task) -> None:
    form = {"text": "Names the lender.", "seen": open_version(task).revision}
    first = browser.post(url("rubric-line-add", task), form)
    again = browser.post(url("rubric-line-add", task), form)
    assert first["Location"] == again["Location"]
    browser.post(url("rubric-line-add", task), form | {"text": "Names the date."})
    rows = form | {"text": "One more.\nAnd another."}
    for _press in range(2):
        browser.post(url("rubric-line-add", task), rows)
    assert len(lines_of(task)) == 19


def test_a_step_sent_again_from_an_old_page_is_refused_and_nothing_is_doubled(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[2]
    form = editor(line)
    assert browser.post(url("rubric-line-merge", task, line), form).status_code == 302
    answer = browser.post(url("rubric-line-merge", task, line), form)
    assert answer.status_code == 409
    assert "Nothing is lost" in answer.content.decode()
    assert len(lines_of(task)) == 14
    split = editor(lines_of(task)[5], text="Names the lender and names the date of consent.")
    target = lines_of(task)[5]
    browser.post(url("rubric-line-split", task, target), {**split, "at": "16"})
    assert len(lines_of(task)) == 15
    again = browser.post(url("rubric-line-split", task, target), {**split, "at": "16"})
    assert again.status_code == 409
    assert len(lines_of(task)) == 15


# --- copied ------------------------------------------------------------------------------------


@pytest.fixture
def other(refining: Callable[..., Task], author: User) -> Task:
    """An earlier rubric of the same author, closed."""
    task = refining(title="Margin call", lines=16)
    send_to_review(actor=author, task=task)
    return task


def test_lines_are_copied_from_another_rubric_of_ones_own_and_say_so(
    browser: Client, task: Task, other: Task
) -> None:
    assert "Margin call" in browser.get(url("rubric-copy", task)).content.decode()
    page = browser.get(url("rubric-copy", task) + f"?from={other.pk}").content.decode()
    assert page.count("in your rubric already") == 15  # the drafts of both are alike
    version = other.rubric_versions.latest("number")
    theirs = list(version.criteria.order_by("position"))
    answer = browser.post(
        url("rubric-copy", task), {"from": other.pk, "lines": [theirs[0].pk, theirs[15].pk]}
    )
    line = lines_of(task)[-1]
    assert len(lines_of(task)) == 16  # one of the two was there
    assert (line.text, line.weight, line.provenance) == (theirs[15].text, 5, "copied")
    assert (line.copied_from_id, line.quote, line.source_id) == (other.pk, "", None)
    shown = browser.get(answer["Location"]).content.decode()
    assert "1 line copied to the end." in shown
    assert "Copied from your rubric of “<bdi>Margin call</bdi>”." in shown
    undo(browser, task)
    assert len(lines_of(task)) == 15


def test_a_copied_line_stays_copied_when_it_is_edited_and_in_later_versions(
    browser: Client, task: Task, other: Task, author: User
) -> None:
    last = other.rubric_versions.latest("number").criteria.latest("position")
    browser.post(url("rubric-copy", task), {"lines": [last.pk]})
    line = lines_of(task)[-1]
    browser.post(url("rubric-line", task, line), editor(line, text="Fits this task."))
    line.refresh_from_db()
    assert (line.provenance, line.copied_from_id) == ("copied", other.pk)
    browser.post(url("rubric-line-remove", task, line))
    undo(browser, task)
    assert lines_of(task)[-1].copied_from_id == other.pk


def test_nobody_copies_from_somebody_elses_rubric_or_from_a_machines_draft(
    browser: Client, task: Task, person: Any, finance: Any, screener: User, sign_in: Any
) -> None:
    foreign = to_refining(person("colleague", finance), screener, finance, title="Not theirs")
    page = browser.get(url("rubric-copy", task) + f"?from={foreign.pk}").content.decode()
    assert "Not theirs" not in page
    draft = Criterion.objects.filter(version__task=task, version__origin="draft")[0]
    for line in (lines_of(foreign)[0], draft, lines_of(task)[0]):
        answer = browser.post(url("rubric-copy", task), {"lines": [line.pk]})
        assert answer.status_code == 404
    assert browser.post(url("rubric-copy", task), {}).status_code == 400
    assert sign_in(screener).get(url("rubric-copy", task)).status_code == 403
    assert len(lines_of(task)) == 15


def test_what_is_there_already_is_not_copied(browser: Client, task: Task, other: Task) -> None:
    first = other.rubric_versions.latest("number").criteria.order_by("position")[0]
    answer = browser.post(url("rubric-copy", task), {"lines": [first.pk]})
    assert "Nothing to copy" in browser.get(answer["Location"]).content.decode()
    assert not LineChange.objects.filter(kind="copied").exists()
