"""The author's page: who may open it, what it shows, what it costs."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Seat, Task
from rubrics.lines.reference_marks import mark_reference
from tests.markup import one_line
from tests.rubrics.desk import JSON, editor, url
from tests.rubrics.walk import lines_of, open_version


def test_the_author_sees_the_lines_the_answer_and_the_balance(browser: Client, task: Task) -> None:
    page = browser.get(url("rubric", task)).content.decode()
    assert "States figure 7 of the covenant table" in page
    assert "Net debt rises to EUR 134.4 million." in page
    assert "Weight by importance" in page
    assert "15 lines" in page
    assert "Refining, before round 1" in page


def test_the_page_opens_at_the_line_asked_for(browser: Client, task: Task) -> None:
    line = lines_of(task)[4]
    page = one_line(browser.get(url("rubric", task) + f"?line={line.pk}").content.decode())
    assert f'id="line-{line.pk}" data-line="5"' in page
    assert f'action="{url("rubric-line", task, line)}"' in page


@pytest.mark.parametrize("query", ["?line=x", "?line=999999", "?line=-1", "?tab=<b>", "?split=1"])
def test_a_strange_address_still_opens_the_page(browser: Client, task: Task, query: str) -> None:
    assert browser.get(url("rubric", task) + query).status_code == 200


def test_a_stranger_finds_nothing_and_an_anonymous_visitor_signs_in(
    task: Task, sign_in: Any, stranger: User, peer: User, client: Client
) -> None:
    assert sign_in(stranger).get(url("rubric", task)).status_code == 404
    assert sign_in(peer).get(url("rubric", task)).status_code == 404
    answer = client.get(url("rubric", task))
    assert answer.status_code == 302
    assert "/account/login/" in answer["Location"]


def test_people_with_a_seat_and_staff_read_the_closed_version_only(
    task: Task, sign_in: Any, screener: User, staff: User, author: User, browser: Client
) -> None:
    line = lines_of(task)[0]
    browser.post(
        url("rubric-line", task, line), editor(line, text="Only the author sees this yet.")
    )
    for person in (screener, staff):
        page = sign_in(person).get(url("rubric", task))
        assert page.status_code == 200
        html = page.content.decode()
        assert "Only the author sees this yet." not in html
        assert "model's draft" in html.replace("&#x27;", "'")
        assert author.email not in html
        assert author.display_name not in html.replace("The author", "")


def test_only_the_author_may_change_a_line(
    task: Task, sign_in: Any, screener: User, staff: User, stranger: User
) -> None:
    line = lines_of(task)[0]
    for person, status in ((screener, 403), (staff, 403), (stranger, 404)):
        browser = sign_in(person)
        for name in ("rubric-line", "rubric-line-remove", "rubric-line-split", "rubric-line-merge"):
            assert browser.post(url(name, task, line), editor(line)).status_code == status
        assert browser.post(url("rubric-send", task)).status_code == status
        assert browser.post(url("rubric-line-add", task), {"text": "x"}).status_code == status
        assert browser.post(url("rubric-draft", task), {"key": "c1"}).status_code == status
    assert lines_of(task)[0].text == line.text


def test_a_line_of_another_task_is_not_there(
    refining: Callable[..., Task], browser: Client, task: Task
) -> None:
    foreign = lines_of(refining(title="Another one"))[0]
    missing = reverse("rubric-line", args=[task.pk, 999999])
    for address in (url("rubric-line", task, foreign), missing):
        assert browser.post(address, {"weight": 1}).status_code == 404
    foreign.refresh_from_db()
    assert foreign.weight != 1


def test_other_verbs_are_refused(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    assert browser.get(url("rubric-line", task, line)).status_code == 405
    assert browser.delete(url("rubric", task)).status_code == 405
    assert browser.get(url("rubric-send", task)).status_code == 405


def test_a_script_in_a_line_is_shown_as_text(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text="<script>alert(1)</script> x"))
    page = browser.get(url("rubric", task)).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize("lines", [3, 40])
def test_the_workbench_takes_the_same_few_queries_and_little_text_whatever_its_length(
    refining: Callable[..., Task],
    browser: Client,
    author: User,
    lines: int,
    django_assert_max_num_queries: Any,
) -> None:
    task = refining(lines=lines)
    for line in lines_of(task):
        mark_reference(actor=author, task=task, criterion=line, met=False, why="It names no table.")
    browser.get(url("rubric", task))  # the worker has computed the marks since
    with django_assert_max_num_queries(17):
        page = browser.get(url("rubric", task))
    assert len(page.content) < 150_000


@pytest.mark.usefixtures("slow_worker")
def test_a_save_takes_few_queries(
    refining: Callable[..., Task], browser: Client, django_assert_max_num_queries: Any
) -> None:
    task = refining(lines=40)
    line = lines_of(task)[0]
    browser.get(url("rubric", task))
    with django_assert_max_num_queries(34):  # four of them ask for new marks
        browser.post(url("rubric-line", task, line), editor(line, weight=9), **JSON)


def test_the_pages_beside_it_take_few_queries(
    refining: Callable[..., Task], browser: Client, django_assert_max_num_queries: Any
) -> None:
    task = refining(lines=40)
    for name in ("rubric-draft", "rubric-versions"):
        with django_assert_max_num_queries(16):
            browser.get(url(name, task))


def test_one_seat_stays_one_seat(task: Task, author: User) -> None:
    assert Seat.objects.filter(task=task, user=author).count() == 1
    assert open_version(task).number == 2
