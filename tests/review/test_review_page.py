"""The review page: verdicts, remarks, the finish, and what nobody may see or do."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.lifecycle import Stage
from curation.models import Qualification, Task, User
from review.models import Comment, LineReview, Review, Round
from tests.review.steps import (
    approve,
    approve_all,
    finish,
    line_url,
    lines,
    newest_round,
    request_change,
)

PARTS = {"HTTP_X_PARTS": "1", "HTTP_ACCEPT": "application/json, text/html"}


def page_url(review: Review) -> str:
    return reverse("review", args=[review.pk])


# --- verdicts ------------------------------------------------------------------------------------
def test_the_page_opens_at_the_first_line_without_a_verdict(desk: Client, review: Review) -> None:
    approve(desk, review, lines(review)[0])
    page = desk.get(page_url(review)).content.decode()
    assert f'action="{line_url(review, lines(review)[1])}" id="verdict-form"' in page
    assert "14 without a verdict" in page


def test_without_scripts_a_verdict_leads_to_the_next_open_line(
    desk: Client, review: Review
) -> None:
    first, second, *_rest = lines(review)
    answer = approve(desk, review, first)
    assert answer.status_code == 302
    assert f"?line={second.pk}" in answer["Location"]


def test_with_scripts_a_verdict_answers_with_the_line_and_the_bar(
    desk: Client, review: Review
) -> None:
    line = lines(review)[0]
    answer = desk.post(line_url(review, line), {"verdict": "approve"}, **PARTS)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert f'id="line-{line.pk}"' in html
    assert 'id="dock"' in html
    assert "1 approved" in html
    assert "<html" not in html


def test_a_request_needs_an_aspect_and_a_comment_and_keeps_what_was_typed(
    desk: Client, review: Review
) -> None:
    line = lines(review)[0]
    page = desk.post(line_url(review, line), {"verdict": "change", "comment": "Half a thought"})
    assert page.status_code == 400
    html = page.content.decode()
    assert "Half a thought" in html
    assert "Say what the change is about." in html
    page = desk.post(line_url(review, line), {"verdict": "change", "aspect": "factual"})
    assert "Say what should change" in page.content.decode()
    assert not LineReview.objects.exists()
    assert not Comment.objects.exists()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({}, 400),
        ({"verdict": "maybe"}, 400),
        ({"verdict": "change", "aspect": "taste", "comment": "x"}, 400),
        ({"verdict": "change", "aspect": "weight", "comment": "x" * 5001}, 400),
        ({"verdict": "approve", "comment": "a\x00b"}, 400),
        ({"verdict": "approve", "comment": "Fine now. 🙂"}, 302),
    ],
)
def test_what_a_verdict_accepts(
    desk: Client, review: Review, data: dict[str, str], status: int
) -> None:
    assert desk.post(line_url(review, lines(review)[0]), data).status_code == status
    assert LineReview.objects.exists() is (status == 302)


def test_a_new_verdict_replaces_the_old_one(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    request_change(desk, review, line)
    approve(desk, review, line)
    verdict = LineReview.objects.get(criterion=line)
    assert (verdict.verdict, verdict.aspect) == ("approve", "")


def test_a_verdict_is_taken_back_and_what_was_said_stays(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    answer = request_change(desk, review, line, comment="Name the figure.")
    page = desk.get(answer["Location"]).content.decode()
    undo = reverse("review-line-undo", args=[review.pk, line.pk])
    assert f'action="{undo}"' in page  # in the toast
    assert desk.post(undo).status_code == 302
    assert not LineReview.objects.exists()
    assert Comment.objects.get().text == "Name the figure."


def test_taking_back_a_second_thought_restores_the_carried_approval(
    desk: Client, study: Client, review: Review, task: Task
) -> None:
    first, second, *_rest = lines(review)
    request_change(desk, review, first)
    approve_all(desk, review, but=1)
    finish(desk, review)
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": first.key, "comment": "Because."})
    study.post(reverse("rubric-send", args=[task.pk]))
    again = lines(review)[1]
    request_change(desk, review, again)
    desk.post(reverse("review-line-undo", args=[review.pk, again.pk]))
    restored = LineReview.objects.get(criterion=again)
    assert (restored.verdict, restored.carried_over) == ("approve", True)


def test_a_remark_without_a_verdict_goes_into_the_thread(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    address = reverse("review-comment", args=[review.pk, line.pk])
    assert desk.post(address, {"comment": "Is this in EUR?"}).status_code == 302
    assert desk.post(address, {"comment": "  "}).status_code == 400
    page = desk.get(page_url(review)).content.decode()
    assert "Is this in EUR?" in page
    assert "15 without a verdict" in page
    # having spoken, the reviewer may request the change without repeating it
    answer = desk.post(line_url(review, line), {"verdict": "change", "aspect": "clarity"})
    assert answer.status_code == 302


def test_markup_in_a_remark_is_shown_as_text(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    request_change(desk, review, line, comment="<img src=x onerror=alert(1)> [x](javascript:y)")
    page = desk.get(page_url(review)).content.decode()
    assert "<img src=x" not in page
    assert "javascript:y" not in page.replace("](javascript:y)", "")


# --- finishing -----------------------------------------------------------------------------------
def test_pressing_finish_early_moves_to_the_first_open_line_and_says_so(
    desk: Client, review: Review
) -> None:
    approve(desk, review, lines(review)[0])
    answer = finish(desk, review)
    second = lines(review)[1]
    assert f"?line={second.pk}" in answer["Location"]
    page = desk.get(answer["Location"]).content.decode()
    assert "14 lines have no verdict yet." in page
    assert newest_round(review).finished_at is None


def test_the_finish_button_is_filled_when_every_line_has_a_verdict(
    desk: Client, review: Review
) -> None:
    assert 'class="btn" data-key="ctrl+shift+enter"' in desk.get(page_url(review)).content.decode()
    approve_all(desk, review)
    page = desk.get(page_url(review)).content.decode()
    assert 'class="btn btn-primary" data-key="ctrl+shift+enter"' in page
    assert "every line has a verdict" in page


def test_a_round_is_finished_once(desk: Client, review: Review, task: Task) -> None:
    approve_all(desk, review)
    assert finish(desk, review).status_code == 302
    assert finish(desk, review).status_code == 409
    task.refresh_from_db()
    assert task.history.filter(to_stage=Stage.APPROVED).count() == 1


def test_a_verdict_after_the_finish_is_a_conflict_that_keeps_the_words(
    desk: Client, review: Review
) -> None:
    approve_all(desk, review)
    line = lines(review)[0]
    finish(desk, review)
    late = request_change(desk, review, line, comment="One more thing I saw.")
    assert late.status_code == 409
    assert "One more thing I saw." in late.content.decode()
    scripted = desk.post(line_url(review, line), {"verdict": "approve"}, **PARTS)
    assert scripted.status_code == 409
    assert scripted.json()["code"] == "round_finished"
    undo = reverse("review-line-undo", args=[review.pk, line.pk])
    assert desk.post(undo).status_code == 409
    comment = reverse("review-comment", args=[review.pk, line.pk])
    assert desk.post(comment, {"comment": "Late."}).status_code == 409
    assert LineReview.objects.get(criterion=line).verdict == "approve"


def test_a_finished_round_can_be_read(desk: Client, review: Review) -> None:
    request_change(desk, review, lines(review)[0], comment="Name the figure.")
    approve_all(desk, review, but=1)
    finish(desk, review)
    page = desk.get(page_url(review)).content.decode()
    assert "Round 1 is finished." in page
    assert "Name the figure." in page
    assert "verdict-form" not in page
    listed = desk.get(reverse("reviews")).content.decode()
    assert "With the author" in listed


def test_a_line_of_an_older_version_takes_no_verdict(
    desk: Client, study: Client, review: Review, task: Task
) -> None:
    old = lines(review)[0]
    request_change(desk, review, old)
    approve_all(desk, review, but=1)
    finish(desk, review)
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": old.key, "comment": "Why."})
    study.post(reverse("rubric-send", args=[task.pk]))
    assert approve(desk, review, old).status_code == 409


# --- who may ------------------------------------------------------------------------------------
def test_a_review_is_its_reviewers_alone(
    review: Review,
    task: Task,
    sign_in: Any,
    author: User,
    senior: User,
    staff: User,
    stranger: User,
    client: Client,
) -> None:
    line = lines(review)[0]
    for person in (author, senior, staff, stranger):
        browser = sign_in(person)
        assert browser.get(page_url(review)).status_code == 404
        assert approve(browser, review, line).status_code == 404
        assert finish(browser, review).status_code == 404
        assert (
            browser.post(reverse("review-decline", args=[review.pk]), {"reason": "x"}).status_code
            == 404
        )
    assert client.get(page_url(review)).status_code == 302
    assert not LineReview.objects.exists()


def test_a_line_of_another_task_is_not_there(
    in_review: Callable[..., Task], desk: Client, review: Review
) -> None:
    other = Review.objects.get(task=in_review(title="Another one"))
    foreign = lines(other)[0]
    assert approve(desk, review, foreign).status_code == 404
    missing = reverse("review-line", args=[review.pk, 999999])
    assert desk.post(missing, {"verdict": "approve"}).status_code == 404


def test_a_suspended_reviewer_may_no_longer_judge(
    desk: Client, review: Review, reviewer: User
) -> None:
    Qualification.objects.filter(user=reviewer).update(active=False)
    assert desk.get(page_url(review)).status_code == 403
    assert approve(desk, review, lines(review)[0]).status_code == 403


def test_other_verbs_are_refused(desk: Client, review: Review) -> None:
    assert desk.get(line_url(review, lines(review)[0])).status_code == 405
    assert desk.get(reverse("review-finish", args=[review.pk])).status_code == 405
    assert desk.post(page_url(review)).status_code == 405


# --- blindness -----------------------------------------------------------------------------------
def secrets_of(user: User) -> list[str]:
    return [user.email, user.display_name, user.pseudonym]


def test_neither_side_ever_learns_who_the_other_is(
    task: Task, review: Review, desk: Client, study: Client, author: User, reviewer: User
) -> None:
    author.display_name, reviewer.display_name = "Annabel Quill", "Rowan Ledger"
    for user in (author, reviewer):
        user.save(update_fields=["display_name"])
    first = lines(review)[0]
    seen_by_reviewer = [desk.get(reverse("reviews")), desk.get(page_url(review))]
    seen_by_reviewer.append(desk.post(line_url(review, first), {"verdict": "approve"}, **PARTS))
    request_change(desk, review, first)
    approve_all(desk, review, but=1)
    seen_by_reviewer.append(finish(desk, review))
    task.refresh_from_db()
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": first.key, "comment": "So."})
    seen_by_author = [
        study.get(reverse(name, args=[task.pk]))
        for name in ("rubric", "rubric-draft", "rubric-versions")
    ]
    seen_by_author.append(study.post(reverse("rubric-send", args=[task.pk])))
    seen_by_author.append(study.get(reverse("rubric", args=[task.pk])))
    seen_by_reviewer += [desk.get(page_url(review)), desk.get(reverse("reviews"))]
    seen_by_reviewer += [
        desk.get(reverse(name, args=[task.pk]))
        for name in ("rubric", "rubric-draft", "rubric-versions")
    ]
    for answers, hidden in ((seen_by_reviewer, author), (seen_by_author, reviewer)):
        for answer in answers:
            everything = answer.content.decode() + str(answer.headers)
            for secret in secrets_of(hidden):
                assert secret not in everything
    assert "Author" in seen_by_reviewer[4].content.decode()


def test_a_senior_sees_roles_only(
    task: Task,
    review: Review,
    desk: Client,
    sign_in: Any,
    senior: User,
    author: User,
    reviewer: User,
    settings: Any,
) -> None:
    settings.SPOT_CHECK_RATE = 1.0
    author.display_name, reviewer.display_name = "Annabel Quill", "Rowan Ledger"
    for user in (author, reviewer):
        user.save(update_fields=["display_name"])
    approve(desk, review, lines(review)[0], comment="Agreed, with the source.")
    approve_all(desk, review, but=1)
    finish(desk, review)
    browser = sign_in(senior)
    queue = browser.get(reverse("spot-checks")).content.decode()
    browser.post(reverse("spot-check-take", args=[task.pk]))
    page = browser.get(reverse("spot-check", args=[task.pk])).content.decode()
    assert "Agreed, with the source." in page
    for hidden in (author, reviewer):
        for secret in secrets_of(hidden):
            assert secret not in page + queue


def test_a_colleagues_remarks_stay_hidden_until_both_have_finished(
    settings: Any,
    refining: Callable[..., Task],
    reviewer: User,
    senior: User,
    sign_in: Any,
    study: Client,
) -> None:
    settings.REVIEWERS_PER_TASK = 2
    task = refining()
    study.post(reverse("rubric-send", args=[task.pk]))
    mine, other = (Review.objects.get(task=task, reviewer=person) for person in (reviewer, senior))
    desk, other_desk = sign_in(reviewer), sign_in(senior)
    line = lines(mine)[0]
    request_change(other_desk, other, line, comment="The figure is gross.")
    approve_all(other_desk, other, but=1)
    finish(other_desk, other)
    assert "The figure is gross." not in desk.get(page_url(mine)).content.decode()
    assert (
        "The figure is gross." not in study.get(reverse("rubric", args=[task.pk])).content.decode()
        or Stage(task.stage) == Stage.REFINING
    )
    approve_all(desk, mine)
    finish(desk, mine)
    task.refresh_from_db()
    assert task.stage == Stage.REFINING
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": line.key, "comment": "Net."})
    study.post(reverse("rubric-send", args=[task.pk]))
    page = desk.get(page_url(mine)).content.decode()
    assert "The figure is gross." in page
    assert f"Reviewer {other.number}" in page


# --- cost ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("remarks", [1, 3])
def test_forty_lines_with_120_comments_take_fewer_than_20_queries(
    in_review: Callable[..., Task],
    reviewer: User,
    desk: Client,
    study: Client,
    remarks: int,
    django_assert_max_num_queries: Any,
) -> None:
    task = in_review(lines=40)
    review = Review.objects.get(task=task)
    current = newest_round(review)
    for line in lines(review):
        for n in range(remarks):
            Comment.objects.create(
                task=task,
                line_key=line.key,
                criterion=line,
                round=current,
                side=Comment.Side.REVIEWER,
                person=reviewer,
                text=f"Remark {n} on {line.key}.",
            )
    assert Comment.objects.count() == 40 * remarks
    with django_assert_max_num_queries(19):
        desk.get(page_url(review))
    for line in lines(review):
        request_change(desk, review, line, comment="")
    finish(desk, review)
    with django_assert_max_num_queries(19):
        page = study.get(reverse("rubric", args=[task.pk]))
    assert f"Remark {remarks - 1} on" in page.content.decode()


def test_a_verdict_takes_few_queries(
    in_review: Callable[..., Task], desk: Client, django_assert_max_num_queries: Any
) -> None:
    review = Review.objects.get(task=in_review(lines=40))
    line = lines(review)[0]
    with django_assert_max_num_queries(30):
        desk.post(line_url(review, line), {"verdict": "approve"}, **PARTS)


def test_one_round_is_open_at_a_time(review: Review, round_1: Round) -> None:
    assert review.rounds.filter(finished_at__isnull=True).count() == 1
    assert round_1.number == 1
