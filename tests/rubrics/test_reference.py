"""Which lines the reference answer meets: TRUE or FALSE on each line, by its author."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.lines.actions import line_token
from rubrics.lines.reference_marks import ReferenceMark, mark_reference, reference_score
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.models import Criterion
from tests.markup import one_line
from tests.rubrics.desk import PARTS, editor, filled, url
from tests.rubrics.test_next_step import read_all
from tests.rubrics.walk import lines_of


def mark(browser: Client, task: Task, line: Criterion, **more: Any) -> Any:
    form = {"met": "1", "version": line_token(line)} | more
    return browser.post(url("rubric-line-reference", task, line), form, **PARTS)


def page(browser: Client, task: Task) -> str:
    return " ".join(browser.get(url("rubric", task)).content.decode().split())


def test_the_workbench_counts_what_the_reference_answer_meets(browser: Client, task: Task) -> None:
    first, second, *_rest = lines_of(task)
    assert "15 lines are not marked yet." in page(browser, task)
    assert "Reference answer: 0 of 15 marked" in page(browser, task)
    mark(browser, task, first)
    html = page(browser, task)
    assert "1 of 15 lines" in html
    assert f"{first.weight} of 80 points" in html
    mark(browser, task, second, met="0", why="It names no figure.")
    html = page(browser, task)
    assert f"It would lose {second.weight} points." in html
    assert "It names no figure." in html
    assert "The reference answer does not meet it" in html
    assert "13 lines are not marked yet." in html
    assert "Reference answer: 2 of 15 marked" in html


def test_the_pass_spells_the_question_out_and_opens_at_the_first_line_without_a_mark(
    browser: Client, task: Task
) -> None:
    first, second, *_rest = lines_of(task)
    mark(browser, task, first)
    answer = browser.get(url("rubric-reference", task))
    html = one_line(answer.content.decode())
    assert "Does your reference answer meet this line?" in html
    assert "The reference answer meets 1 of 15 lines." in html
    assert "14 are not marked yet." in html
    assert f'class="line is-current" id="line-{second.pk}"' in html
    assert "no-store" in answer["Cache-Control"]
    answer = browser.get(url("rubric-reference", task) + f"?line={first.pk}")
    assert f'class="line is-current" id="line-{first.pk}"' in one_line(answer.content.decode())


def test_without_scripts_a_mark_leads_to_the_next_line_without_one(
    browser: Client, task: Task
) -> None:
    first, second, *_rest = lines_of(task)
    form = {"met": "1", "version": line_token(first)}
    answer = browser.post(url("rubric-line-reference", task, first), form)
    assert answer.status_code == 302
    assert answer["Location"] == url("rubric-reference", task) + f"?line={second.pk}"
    form = {"met": "0", "why": " ", "version": line_token(second)}
    answer = browser.post(url("rubric-line-reference", task, second), form)
    assert answer.status_code == 400
    assert "Say what the reference answer is missing." in answer.content.decode()
    assert reference_score(task, lines_of(task)).met == 1


def test_the_script_gets_the_line_and_the_count_alone(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    html = one_line(mark(browser, task, line, met="0", why="It names no figure.").content.decode())
    assert f'id="reference-mark-{line.pk}-state"' in html
    assert 'value="It names no figure."' in html
    assert 'id="dock"' in html
    assert "Repair" not in html  # while others are not marked
    assert "<html" not in html


def test_the_pass_takes_the_same_queries_for_many_lines(
    browser: Client, refining: Callable[..., Task], django_assert_max_num_queries: Any
) -> None:
    for lines in (15, 40):
        address = url("rubric-reference", refining(lines=lines))
        with django_assert_max_num_queries(16):
            browser.get(address)


@pytest.mark.parametrize("why", ["", "  \u200b", "x" * 501, "a\x00b"])
def test_a_line_that_is_not_met_says_why(browser: Client, task: Task, why: str) -> None:
    answer = mark(browser, task, lines_of(task)[0], met="0", why=why)
    assert answer.status_code == 400
    assert "why" in json.loads(answer.content)["fields"]
    assert not ReferenceMark.objects.exists()


def test_a_mark_lapses_with_the_words_of_the_line_and_comes_back_with_them(
    browser: Client, task: Task
) -> None:
    line = lines_of(task)[0]
    mark(browser, task, line)
    browser.post(url("rubric-line", task, line), editor(line, weight=9))
    assert reference_score(task, lines_of(task)).met == 1  # a weight is no other statement
    was = line.text
    browser.post(url("rubric-line", task, line), editor(line, text="Other words."))
    assert reference_score(task, lines_of(task)).met == 0
    line.refresh_from_db()
    browser.post(url("rubric-line", task, line), editor(line, text=was))
    assert reference_score(task, lines_of(task)).met == 1
    assert ReferenceMark.objects.count() == 1


def test_a_mark_lapses_with_the_reference_answer(browser: Client, task: Task) -> None:
    mark(browser, task, lines_of(task)[0])
    task.reference_answer += " One more sentence."
    assert reference_score(task, lines_of(task)).met == 0


def test_a_mark_on_words_its_author_has_not_seen_is_refused(browser: Client, task: Task) -> None:
    line = lines_of(task)[0]
    browser.post(url("rubric-line", task, line), editor(line, text="Changed in another tab."))
    answer = mark(browser, task, line)
    assert answer.status_code == 409
    assert json.loads(answer.content)["code"] == "changed_since"
    assert not ReferenceMark.objects.exists()


def test_the_newest_mark_counts_and_the_same_one_twice_is_one(
    browser: Client, task: Task, author: User
) -> None:
    line = lines_of(task)[0]
    for _press in range(2):
        mark(browser, task, line)
    assert ReferenceMark.objects.count() == 1
    mark_reference(actor=author, task=task, criterion=line, met=False, why="No figure.")
    assert reference_score(task, [line]).unmet == (line,)
    with pytest.raises(TypeError):
        ReferenceMark.objects.latest("id").delete()


def test_the_database_keeps_a_why_with_every_false(task: Task, author: User) -> None:
    row = {"task": task, "key": "c1", "line_sha256": "", "answer_sha256": "", "actor": author}
    for wrong in ({"met": False, "why": ""}, {"met": True, "why": "Why?"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ReferenceMark.objects.create(**row, **wrong)


def test_only_the_author_marks_and_only_while_the_rubric_is_open(
    browser: Client, task: Task, sign_in: Any, screener: User, stranger: User
) -> None:
    line = lines_of(task)[0]
    assert mark(sign_in(screener), task, line).status_code == 403
    assert mark(sign_in(stranger), task, line).status_code == 404
    browser.post(url("rubric-send", task), {"as_drafted": "1"})
    assert mark(browser, task, line).status_code == 409
    assert not ReferenceMark.objects.exists()


def test_sending_asks_once_about_unmarked_lines_and_does_not_refuse(
    browser: Client, task: Task
) -> None:
    read_all(browser, task)
    answer = browser.post(url("rubric-send", task))
    assert answer.status_code == 400
    html = answer.content.decode()
    assert "On 15 lines you have not said whether your reference answer meets them." in html
    assert "Send it as it is" in html
    # Beside this question the style sheet leaves the button plain that was just held up.
    assert (
        'id="refusal" role="alert" tabindex="-1" data-error-summary data-question="unmarked"'
        in html
    )
    asked = html.split('id="refusal"')[1].split("Send it as it is")[0]
    assert "Mark the reference answer" in asked.split("btn-primary")[1]
    assert url("rubric-reference", task) in html
    assert browser.post(url("rubric-send", task), {"as_drafted": "1"}).status_code == 302


def test_a_rubric_whose_lines_are_all_marked_is_sent_without_a_question(
    browser: Client, task: Task, author: User
) -> None:
    read_all(browser, task)
    for line in lines_of(task):
        mark_reference(actor=author, task=task, criterion=line, met=True)
    assert "By your own marks it earns every point." in page(browser, task)
    assert browser.post(url("rubric-send", task)).status_code == 302


def test_where_the_rules_require_it_every_line_is_marked_first(
    browser: Client, task: Task, author: User
) -> None:
    RubricPolicy.objects.create(domain=task.domain, reference="require")
    read_all(browser, task)
    assert filled(page(browser, task)) == []  # the next step is the link to the pass
    assert 'class="btn btn-small btn-primary"' in page(browser, task)
    answer = browser.post(url("rubric-send", task), {"as_drafted": "1"})
    assert answer.status_code == 400
    assert "Send it as it is" not in answer.content.decode()
    first, *rest = lines_of(task)
    for line in rest:
        mark_reference(actor=author, task=task, criterion=line, met=True)
    assert "Reference answer: 14 of 15 marked" in page(browser, task)
    mark_reference(actor=author, task=task, criterion=first, met=False, why="It is too strict.")
    assert browser.post(url("rubric-send", task)).status_code == 302


def test_where_the_rules_leave_it_open_nobody_asks(browser: Client, task: Task) -> None:
    RubricPolicy.objects.create(domain=None, reference="open")
    read_all(browser, task)
    assert browser.post(url("rubric-send", task)).status_code == 302
