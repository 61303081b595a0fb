"""The whole way: refine, send, two requests, answers, a second round, approval, spot check."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.lifecycle import Stage
from curation.models import Task, User
from review.models import LineReview, Review, SpotCheck
from review.queries import waiting as review_waiting
from rubrics.queries import waiting as rubric_waiting
from tests.review.steps import approve, approve_all, finish, lines, newest_round, request_change
from tests.rubrics.walk import lines_of


def answer(browser: Client, task: Task, key: str, words: str) -> Any:
    return browser.post(reverse("rubric-comment", args=[task.pk]), {"key": key, "comment": words})


def change_text(browser: Client, task: Task, key: str, words: str) -> Any:
    line = next(line for line in lines_of(task) if line.key == key)
    return browser.post(reverse("rubric-line", args=[task.pk, line.pk]), {"text": words})


def send(browser: Client, task: Task) -> Any:
    return browser.post(reverse("rubric-send", args=[task.pk]))


def stage(task: Task) -> str:
    task.refresh_from_db()
    return task.stage


@pytest.fixture
def asked(task: Task, review: Review, desk: Client) -> list[str]:
    """Round 1 is finished with requests on the first two lines; their keys."""
    first, second, *_rest = lines(review)
    request_change(desk, review, first, comment="Which figure exactly?")
    request_change(desk, review, second, comment="Twice the same.", aspect="atomicity")
    approve_all(desk, review, but=2)
    finish(desk, review)
    return [first.key, second.key]


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
    assert "the author changed 1, added 0 and removed 0 of the lines." in page
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
    assert "the author changed 1, added 1 and removed 1 of the lines." in page
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
@pytest.fixture
def drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 1.0


def verdict(browser: Client, task: Task, **fields: str) -> Any:
    data = {
        "consistent": "yes",
        "aligned": "yes",
        "evaluable": "yes",
        "remarks": "Every requirement has its line.",
        "verdict": "accept",
        **fields,
    }
    return browser.post(reverse("spot-check", args=[task.pk]), data)


@pytest.fixture
def checking(
    drawn: None, task: Task, review: Review, desk: Client, senior: User, sign_in: Any
) -> Client:
    """A senior who took the spot check of the approved rubric."""
    senior_review = Review.objects.filter(task=task, reviewer=senior)
    assert not senior_review.exists()
    approve_all(desk, review)
    finish(desk, review)
    assert stage(task) == Stage.SPOT_CHECK
    browser = sign_in(senior)
    assert browser.post(reverse("spot-check-take", args=[task.pk])).status_code == 302
    return browser


def test_an_accepted_spot_check_puts_the_task_into_the_benchmark(
    task: Task, checking: Client, senior: User
) -> None:
    page = checking.get(reverse("spot-check", args=[task.pk])).content.decode()
    assert "Three tests" in page
    assert "approved after 1 round" in page
    assert "Continue" in [w.button for w in review_waiting(senior)]
    assert verdict(checking, task).status_code == 302
    assert stage(task) == Stage.APPROVED
    assert SpotCheck.objects.get(task=task).verdict == "accept"
    assert verdict(checking, task).status_code == 409


def test_a_failed_test_cannot_be_accepted_and_everything_typed_is_kept(
    task: Task, checking: Client
) -> None:
    page = verdict(checking, task, evaluable="no", remarks="Lines 3 and 4 cannot be marked.")
    assert page.status_code == 400
    html = page.content.decode()
    assert "One of them does not." in html
    assert "Lines 3 and 4 cannot be marked." in html
    assert stage(task) == Stage.SPOT_CHECK


@pytest.mark.parametrize(
    "fields", [{"remarks": " "}, {"consistent": ""}, {"verdict": "maybe"}, {"verdict": ""}]
)
def test_a_spot_check_needs_all_three_tests_remarks_and_a_verdict(
    task: Task, checking: Client, fields: dict[str, str]
) -> None:
    assert verdict(checking, task, **fields).status_code == 400
    assert stage(task) == Stage.SPOT_CHECK


def test_a_rubric_sent_back_reaches_its_author_with_the_remarks_and_comes_again(
    task: Task, checking: Client, study: Client, desk: Client, review: Review
) -> None:
    verdict(checking, task, verdict="send_back", aligned="no", remarks="No line on the earn-out.")
    assert stage(task) == Stage.REFINING
    page = study.get(reverse("rubric", args=[task.pk])).content.decode()
    assert "No line on the earn-out." in page
    study.post(reverse("rubric-line-add", args=[task.pk]), {"text": "Counts the earn-out as debt."})
    assert send(study, task).status_code == 302
    assert newest_round(review).lines.filter(carried_over=True).count() == 15
    approve(desk, review, lines(review)[-1])
    finish(desk, review)
    assert stage(task) == Stage.SPOT_CHECK  # the draw is fixed by the task
    assert verdict(checking, task).status_code == 302
    assert stage(task) == Stage.APPROVED


def test_discarding_asks_first(task: Task, checking: Client) -> None:
    asked = verdict(checking, task, verdict="discard", remarks="Solved by a search engine.")
    assert asked.status_code == 200
    html = asked.content.decode()
    assert "Discard this task for good?" in html
    assert "Solved by a search engine." in html
    assert stage(task) == Stage.SPOT_CHECK
    verdict(checking, task, verdict="discard", remarks="Solved by a search engine.", confirmed="1")
    assert stage(task) == Stage.DISCARDED


def test_without_the_draw_an_approved_rubric_is_done(
    task: Task, review: Review, desk: Client
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    assert stage(task) == Stage.APPROVED
    event = task.history.get(to_stage=Stage.APPROVED)
    assert event.data["spot_check_drawn"] is False


def test_only_a_free_senior_of_the_domain_takes_a_spot_check(
    drawn: None,
    task: Task,
    review: Review,
    desk: Client,
    sign_in: Any,
    person: Any,
    finance: Any,
    law: Any,
    author: User,
    senior: User,
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    take = reverse("spot-check-take", args=[task.pk])
    tied = person("tied", finance, senior=True, affiliation=" Bank A ")
    author.affiliation = "bank a"
    author.save(update_fields=["affiliation"])
    other = person("lawsenior", law, senior=True)
    late = person("late", finance, senior=True)
    assert desk.post(take).status_code == 403  # no senior at all
    assert sign_in(other).post(take).status_code == 404
    assert sign_in(tied).post(take).status_code == 404  # a reason would tell who the author is
    assert task.title not in sign_in(tied).get(reverse("spot-checks")).content.decode()
    page = reverse("spot-check", args=[task.pk])
    assert sign_in(late).get(page).status_code == 404  # not taken yet
    assert sign_in(senior).post(take).status_code == 302
    assert sign_in(late).post(take).status_code == 409
    assert task.title not in sign_in(late).get(reverse("spot-checks")).content.decode()
    assert verdict(sign_in(late), task).status_code == 404


def test_a_senior_who_reviewed_the_task_cannot_check_it(
    drawn: None, refining: Callable[..., Task], senior: User, sign_in: Any, study: Client
) -> None:
    task = refining()
    send(study, task)
    review = Review.objects.get(task=task)
    assert review.reviewer == senior  # the only eligible person
    browser = sign_in(senior)
    approve_all(browser, review)
    finish(browser, review)
    assert stage(task) == Stage.SPOT_CHECK
    assert browser.post(reverse("spot-check-take", args=[task.pk])).status_code == 409
    assert task.title not in browser.get(reverse("spot-checks")).content.decode()


# --- staff ---------------------------------------------------------------------------------------
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
