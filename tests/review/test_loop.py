"""The whole way: refine, send, two requests, answers, a second round, approval, spot check."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import LineReview, Review
from review.staff.waiting import waiting as review_waiting
from rubrics.sending.waiting import waiting as rubric_waiting
from tests.conftest import browser_of
from tests.review.steps import (
    answer,
    approve,
    approve_all,
    change_text,
    finish,
    lines,
    newest_round,
    request_change,
    send,
    stage,
)
from tests.rubrics.walk import lines_of
from tests.worlds import World


@pytest.fixture(scope="module")
def asked_world(review_world: World) -> World:
    """Round 1 is finished with requests on the first two lines."""
    review = Review.objects.get(task=review_world["task"])
    desk = browser_of(review_world["peer"])
    first, second, *_rest = lines(review)
    request_change(desk, review, first, comment="Which figure exactly?")
    request_change(desk, review, second, comment="Twice the same.", aspect="atomicity")
    approve_all(desk, review, but=2)
    finish(desk, review)
    return World()


@pytest.fixture
def asked(asked_world: World, review: Review) -> list[str]:
    """The keys of the requested lines."""
    return [line.key for line in lines(review)[:2]]


def test_from_the_draft_to_the_benchmark(
    refining: Callable[..., Task],
    author: User,
    reviewer: User,
    study: Client,
    desk: Client,
) -> None:
    task = refining(lines=14)
    assert [w.button for w in rubric_waiting(author)] == ["Open the rubric"]
    assert send(study, task).status_code == 400  # 14 lines
    study.post(reverse("rubric-line-add", args=[task.pk]), {"text": "Names the lender."})
    assert send(study, task).status_code == 302
    assert stage(task) == Stage.IN_REVIEW

    review = Review.objects.get(task=task)
    assert review.reviewer == reviewer
    assert "0 of 15" not in review_waiting(reviewer)[0].detail
    first, second, *_rest = lines(review)
    request_change(desk, review, first, comment="Which figure exactly?")
    request_change(desk, review, second, comment="Twice the same.", aspect="atomicity")
    assert "2 of 15 lines have a verdict" in review_waiting(reviewer)[0].detail
    approve_all(desk, review, but=2)
    assert review_waiting(reviewer)[0].button == "Finish the round"
    assert finish(desk, review).status_code == 302
    assert stage(task) == Stage.REFINING
    assert review_waiting(reviewer) == []

    (wait,) = rubric_waiting(author)
    assert (wait.title, wait.button, wait.blocks) == (
        "Answer 2 requests on your rubric",
        "Open the 2 lines",
        True,
    )
    page = study.get(wait.url).content.decode()
    assert "Which figure exactly?" in page
    assert "Reviewer 1" in page
    answer(study, task, first.key, "The one of the first table.")
    change_text(study, task, second.key, "States EUR 1.15 million as the gap.")
    assert rubric_waiting(author)[0].button == "Open the rubric"
    assert send(study, task).status_code == 302

    current = newest_round(review)
    assert current.number == 2
    carried = current.lines.filter(carried_over=True)
    assert carried.count() == 13
    page = desk.get(reverse("review", args=[review.pk])).content.decode()
    assert "Since round 1" in page
    assert "the author changed 1 of the lines, added 0 and removed 0." in page
    assert "Your approvals of 13 unchanged lines were kept." in page
    assert "Approved in round 1" in page
    assert "The one of the first table." in page
    assert "<ins>" in page
    assert finish(desk, review).status_code == 302
    assert stage(task) == Stage.IN_REVIEW  # two lines are still open
    for line in lines(review)[:2]:
        approve(desk, review, line)
    finish(desk, review)
    assert stage(task) == Stage.APPROVED
    author = User.objects.get(pk=author.pk)  # a new visit
    assert rubric_waiting(author) == review_waiting(reviewer) == []


def test_an_unanswered_request_keeps_the_rubric_with_its_author(
    task: Task, asked: list[str], study: Client
) -> None:
    page = send(study, task)
    assert page.status_code == 400
    assert "asked for changes on 2 lines that you have neither changed nor" in page.content.decode()
    answer(study, task, asked[0], "It is the first one.")
    page = send(study, task)
    assert page.status_code == 400
    assert "asked for a change on 1 line" in page.content.decode()
    change_text(study, task, asked[1], "States EUR 7 million.")
    assert send(study, task).status_code == 302


def test_a_removed_line_settles_its_request(task: Task, asked: list[str], study: Client) -> None:
    for key in asked:
        line = next(line for line in lines_of(task) if line.key == key)
        study.post(reverse("rubric-line-remove", args=[task.pk, line.pk]))
        study.post(reverse("rubric-line-add", args=[task.pk]), {"text": f"Instead of {key}."})
    assert send(study, task).status_code == 302
    page = study.get(reverse("rubric", args=[task.pk])).content.decode()
    assert "Locked" in page


def test_the_second_round_tells_what_was_added_and_removed(
    task: Task, asked: list[str], study: Client, desk: Client, review: Review
) -> None:
    line = next(line for line in lines_of(task) if line.key == asked[0])
    study.post(reverse("rubric-line-remove", args=[task.pk, line.pk]))
    study.post(reverse("rubric-line-add", args=[task.pk]), {"text": "Names the guarantor."})
    change_text(study, task, asked[1], "States EUR 7 million as the gap.")
    send(study, task)
    page = desk.get(reverse("review", args=[review.pk])).content.decode()
    assert "the author changed 1 of the lines, added 1 and removed 1." in page
    assert "added since round 1" in page
    assert line.text in page  # among the removed ones


def test_a_changed_weight_takes_the_approval_with_it(
    task: Task, asked: list[str], study: Client, desk: Client, review: Review
) -> None:
    for key in asked:
        change_text(study, task, key, f"States the gap of {key} as EUR 7 million.")
    third = lines_of(task)[2]
    study.post(reverse("rubric-line", args=[task.pk, third.pk]), {"weight": "10"})
    send(study, task)
    assert newest_round(review).lines.filter(carried_over=True).count() == 12
    assert "→ 10" in desk.get(reverse("review", args=[review.pk])).content.decode()


def test_the_author_answers_only_while_the_rubric_is_with_them(
    task: Task, review: Review, desk: Client, study: Client
) -> None:
    request_change(desk, review, lines(review)[0], comment="Not yet for your eyes.")
    kept = answer(study, task, lines(review)[0].key, "A long and careful answer.")
    assert kept.status_code == 409
    assert "A long and careful answer." in kept.content.decode()
    assert (
        "Not yet for your eyes."
        not in study.get(reverse("rubric", args=[task.pk])).content.decode()
    )


def test_an_empty_answer_and_an_unknown_line_are_refused(
    task: Task, asked: list[str], study: Client, desk: Client
) -> None:
    answer(study, task, asked[0], "   ")
    assert send(study, task).status_code == 400
    assert answer(study, task, "no-such-line", "x").status_code == 404
    assert answer(desk, task, asked[0], "as the reviewer").status_code == 403


def test_a_line_with_the_authors_answer_can_still_be_removed(
    task: Task, asked: list[str], study: Client
) -> None:
    answer(study, task, asked[0], "I will drop it.")
    line = next(line for line in lines_of(task) if line.key == asked[0])
    removed = study.post(reverse("rubric-line-remove", args=[task.pk, line.pk]))
    assert removed.status_code == 302


# --- spot check ----------------------------------------------------------------------------------
def test_without_the_draw_an_approved_rubric_is_done(
    task: Task, review: Review, desk: Client
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    assert stage(task) == Stage.APPROVED
    event = task.history.get(to_stage=Stage.APPROVED)
    assert event.data["spot_check_drawn"] is False


def test_staff_reopen_with_a_reason_the_author_reads(
    task: Task, review: Review, desk: Client, study: Client, sign_in: Any, staff: User
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    browser = sign_in(staff)
    address = reverse("staff-task-reopen", args=[task.pk])
    assert browser.post(address, {"reason": " "}).status_code == 400
    assert stage(task) == Stage.APPROVED
    done = browser.post(address, {"reason": "A figure is wrong."})
    assert (done.status_code, done["Location"]) == (302, reverse("staff-task", args=[task.pk]))
    assert stage(task) == Stage.REFINING
    assert "A figure is wrong." in study.get(reverse("rubric", args=[task.pk])).content.decode()
    assert browser.post(address, {"reason": "Again."}).status_code == 409


def test_staff_discard_an_approved_task_and_nothing_else(
    task: Task, review: Review, desk: Client, sign_in: Any, staff: User
) -> None:
    browser, address = sign_in(staff), reverse("staff-task-discard", args=[task.pk])
    assert browser.post(address, {"reason": "Too easy."}).status_code == 409
    approve_all(desk, review)
    finish(desk, review)
    assert browser.post(address, {}).status_code == 400
    assert browser.get(address).status_code == 200
    browser.post(address, {"reason": "Too easy."})
    assert stage(task) == Stage.DISCARDED


def test_the_steps_of_staff_are_for_staff(task: Task, desk: Client, study: Client) -> None:
    for name in ("staff-task-reopen", "staff-task-discard", "staff-review-assign"):
        for browser in (desk, study):
            assert browser.post(reverse(name, args=[task.pk]), {"reason": "x"}).status_code == 403


def test_verdicts_of_both_rounds_stay_on_record(
    task: Task, asked: list[str], study: Client, desk: Client, review: Review
) -> None:
    for key in asked:
        change_text(study, task, key, f"States the gap of {key} as EUR 7 million.")
    send(study, task)
    approve_all(desk, review)
    finish(desk, review)
    assert LineReview.objects.filter(round__review=review).count() == 30
    assert stage(task) == Stage.APPROVED
