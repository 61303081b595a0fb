"""A rubric that came back: the requested lines, one after the other, and the answers to them."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, Review
from rubrics.versions.models import Criterion
from tests.conftest import browser_of
from tests.review.steps import approve_all, finish, lines, request_change
from tests.rubrics.desk import JSON, done, editor, filled, url
from tests.rubrics.walk import lines_of
from tests.worlds import World


@pytest.fixture(scope="module")
def asked_world(review_world: World) -> World:
    """Lines 2, 5 and 9 came back with a request."""
    review = Review.objects.get(task=review_world["task"])
    desk = browser_of(review_world["peer"])
    for line in (lines(review)[n] for n in (1, 4, 8)):
        request_change(desk, review, line, comment="Which figure exactly?")
    for n, line in enumerate(lines(review)):
        if n not in (1, 4, 8):
            desk.post(reverse("review-line", args=[review.pk, line.pk]), {"verdict": "approve"})
    finish(desk, review)
    return World()


@pytest.fixture
def asked(asked_world: World, task: Task) -> list[Criterion]:
    """The author's open lines."""
    return [lines_of(task)[n] for n in (1, 4, 8)]


def page(study: Client, task: Task) -> str:
    return study.get(url("rubric", task)).content.decode()


def test_done_leads_from_request_to_request_and_then_the_rubric_can_be_sent(
    study: Client, task: Task, asked: list[Criterion]
) -> None:
    one, two, three = asked
    html = page(study, task)
    assert f'action="{url("rubric-line", task, one)}"' in html
    assert "3 to do" in html
    assert filled(html) == ["Done, next line"]
    answer = done(study, task, one, comment="The first one.")
    assert answer["Location"].endswith(f"?line={two.pk}")
    answer = done(study, task, two, **editor(two, text="States EUR 7 million."))
    assert answer["Location"].endswith(f"?line={three.pk}")
    answer = done(study, task, three, comment="The one of the table.")
    assert answer["Location"].endswith(f"?line={three.pk}")
    html = study.get(answer["Location"]).content.decode()
    assert filled(html) == ["Send to review"]
    assert "All of them are answered or changed." in html


def test_a_request_that_was_passed_over_comes_again(
    study: Client, task: Task, asked: list[Criterion]
) -> None:
    one, two, three = asked
    assert done(study, task, one)["Location"].endswith(f"?line={two.pk}")
    done(study, task, two, comment="So.")
    assert done(study, task, three, comment="So.")["Location"].endswith(f"?line={one.pk}")


def test_the_answer_and_the_line_are_saved_by_one_form(
    study: Client, task: Task, asked: list[Criterion]
) -> None:
    line = asked[0]
    html = page(study, task)
    form = html.split('id="line-form"')[1].split("</form>")[0]
    assert 'name="text"' in form
    assert 'name="comment"' in form
    sent = editor(line, text="States EUR 7 million.", comment="Corrected.", then="answer")
    answer = study.post(url("rubric-line", task, line), sent)
    assert answer["Location"].endswith(f"?line={line.pk}")
    line.refresh_from_db()
    assert line.text == "States EUR 7 million."
    assert Comment.objects.filter(side=Comment.Side.AUTHOR).get().text == "Corrected."


@pytest.mark.parametrize("step", ["rubric-line-move", "rubric-line-split", "rubric-line-remove"])
def test_an_answer_goes_along_with_every_step_on_the_line(
    study: Client, task: Task, asked: list[Criterion], step: str
) -> None:
    study.post(url(step, task, asked[0]), {"by": "1", "at": "14", "comment": "Moved on."})
    assert Comment.objects.filter(side=Comment.Side.AUTHOR).get().text == "Moved on."


def test_an_answer_that_cannot_be_stored_is_kept_in_its_box_with_the_line(
    study: Client, task: Task, asked: list[Criterion]
) -> None:
    line = asked[0]
    sent = editor(line, text="States EUR 7 million.", comment="x" * 5001, then="next")
    answer = study.post(url("rubric-line", task, line), sent)
    assert answer.status_code == 400
    html = answer.content.decode()
    assert "x" * 5001 in html
    assert "States EUR 7 million." in html
    assert 'id="reply-error"' in html
    line.refresh_from_db()
    assert line.text != "States EUR 7 million."  # both or neither


def test_a_save_in_the_background_leaves_the_half_written_answer_alone(
    study: Client, task: Task, asked: list[Criterion]
) -> None:
    line = asked[0]
    sent = editor(line, weight=9, comment="Half a sen")
    answer = study.post(url("rubric-line", task, line), sent, HTTP_X_AUTOSAVE="1", **JSON)
    assert answer.status_code == 200
    assert not Comment.objects.filter(side=Comment.Side.AUTHOR).exists()


def test_both_texts_of_a_conflict_keep_the_answer(
    study: Client, task: Task, asked: list[Criterion]
) -> None:
    line = asked[0]
    stale = editor(line, text="Typed in tab one.", comment="As agreed.", then="next")
    study.post(url("rubric-line", task, line), editor(line, text="Typed in tab two."))
    answer = study.post(url("rubric-line", task, line), stale)
    assert answer.status_code == 409
    assert '<input type="hidden" name="comment" value="As agreed.">' in answer.content.decode()
    assert not Comment.objects.filter(side=Comment.Side.AUTHOR).exists()


def test_what_was_sent_once_is_read(
    study: Client, task: Task, asked: list[Criterion], review: Review, desk: Client
) -> None:
    assert "to read" not in page(study, task)
    for line in asked:
        done(study, task, line, comment="So.")
    answer: Any = study.post(url("rubric-send", task))
    assert answer.status_code == 302
    approve_all(desk, review)
