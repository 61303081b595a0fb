"""Open work for each other goes to colleagues once a conflict counts; finished work stays."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.notices.models import Notice
from review.conflicts.actions import (
    answer_conflict,
    declare_conflict,
    end_conflict,
    propose_conflict,
    uphold_conflict,
)
from review.rounds.assignment_models import Review
from review.rounds.expiry import expire_overdue
from review.senior_seats.models import seniors_with_the_seat
from tests.conftest import make_staff
from tests.markup import words_of
from tests.review.declaring import STAFF, confirm_addresses
from tests.review.steps import (
    approve,
    approve_all,
    finish,
    lines,
    newest_round,
    request_change,
    send,
    stage,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague(person: Any, finance: Any) -> Any:
    return person("colleague", finance)


@pytest.fixture
def task(in_review: Any) -> Any:
    """A task in review, with one reviewer."""
    return in_review()


@pytest.fixture
def review(task: Any, reviewer: Any) -> Review:
    return Review.objects.get(task=task, reviewer=reviewer)


def tied(staff: Any, one: Any, other: Any) -> Any:
    return propose_conflict(actor=staff, person=one, other=other, kind="coauthor")


def told(person: Any) -> list[Any]:
    return list(Notice.objects.filter(recipient=person, kind="conflict_work_ended"))


class TestReviews:
    def test_an_open_review_goes_to_a_colleague_with_an_event_and_a_notice(
        self, staff, author, reviewer, colleague, review, task, desk
    ):
        approve(desk, review, lines(review)[0])
        tied(staff, author, reviewer)
        review.refresh_from_db()
        assert (review.state, review.reason) == (
            "declined",
            "A tie to the author has been found since.",
        )
        taken = Review.objects.get(task=task, state="assigned")
        assert (taken.reviewer, taken.number) == (colleague, 2)
        event = task.history.get(data__event="review_released")
        assert (event.actor, event.reason) == (None, review.reason)
        assert [notice.data["task"] for notice in told(reviewer)] == [str(task)]
        assert not told(author)
        assert request_change(desk, review, lines(taken)[0]).status_code == 409

    def test_where_nobody_is_left_the_review_waits_for_staff(
        self, staff, author, reviewer, review, task
    ):
        tied(staff, author, reviewer)
        assert not task.reviews.filter(state="assigned").exists()
        assert stage(task) == Stage.IN_REVIEW

    def test_a_review_that_expired_before_is_not_offered_and_not_taken_again(
        self, staff, author, reviewer, review, task, desk
    ):
        Review.objects.filter(pk=review.pk).update(due_at=timezone.now() - timedelta(hours=1))
        expire_overdue()
        assert "Take it again" in desk.get(reverse("reviews")).content.decode()
        tied(staff, author, reviewer)
        assert "Take it again" not in desk.get(reverse("reviews")).content.decode()
        assert desk.post(reverse("review-resume", args=[review.pk])).status_code == 404
        review.refresh_from_db()
        assert review.state == "expired"

    def test_what_somebody_in_conflict_asked_for_obliges_nobody(
        self, staff, author, reviewer, colleague, review, task, desk, study
    ):
        approve_all(desk, review, but=1)
        request_change(desk, review, lines(review)[0])
        finish(desk, review)
        assert send(study, task).status_code == 400
        tied(staff, author, reviewer)
        assert send(study, task).status_code == 302

    def test_while_the_author_answers_the_review_ends_and_the_next_round_is_a_colleagues(
        self, staff, author, reviewer, colleague, review, task, desk, study
    ):
        first, *_others = lines(review)
        approve_all(desk, review, but=1)
        request_change(desk, review, first)
        finish(desk, review)
        assert stage(task) == Stage.REFINING
        tied(staff, author, reviewer)
        review.refresh_from_db()
        assert review.state == "declined"
        assert newest_round(review).lines.filter(verdict="change").count() == 1  # it stays
        study.post(reverse("rubric-comment", args=[task.pk]), {"key": first.key, "comment": "No."})
        send(study, task)
        assert [row.reviewer for row in task.reviews.filter(state="assigned")] == [colleague]

    def test_a_declaration_alone_ends_it_and_a_second_one_changes_nothing(
        self, author, reviewer, colleague, review, task
    ):
        confirm_addresses(author, reviewer)
        for _twice in range(2):
            declare_conflict(actor=reviewer, kind="family", name="A. N.", email=author.email)
        assert Review.objects.get(task=task, state="assigned").reviewer == colleague
        assert len(told(reviewer)) == 1

    def test_an_ended_conflict_that_is_declared_again_ends_work_again(
        self, staff, author, reviewer, task, review
    ):
        conflict = tied(staff, author, reviewer)
        end_conflict(actor=staff, conflict=conflict, reason="It was somebody else.")
        Review.objects.filter(pk=review.pk).update(state="assigned", reason="")
        tied(staff, author, reviewer)
        review.refresh_from_db()
        assert review.state == "declined"

    def test_upheld_it_ends_what_was_taken_meanwhile(self, staff, author, reviewer, task, review):
        conflict = tied(staff, author, reviewer)
        answer_conflict(actor=reviewer, conflict=conflict, agrees=False, reason="We never met.")
        Review.objects.filter(pk=review.pk).update(state="assigned", reason="")
        uphold_conflict(actor=staff, conflict=conflict, reason="The list shows it.")
        review.refresh_from_db()
        assert review.state == "declined"

    def test_one_that_is_over_for_long_ends_nothing(self, staff, author, reviewer, review):
        propose_conflict(
            actor=staff, person=author, other=reviewer, kind="coauthor", until="2015-01-01"
        )
        review.refresh_from_db()
        assert review.state == "assigned"

    def test_work_on_the_tasks_of_others_stays(self, staff, stranger, reviewer, review):
        tied(staff, stranger, reviewer)
        review.refresh_from_db()
        assert review.state == "assigned"


class TestSpotChecks:
    def test_a_held_spot_check_is_free_for_another_senior(
        self, staff, author, person, finance, review, task, desk, sign_in, settings
    ):
        settings.SPOT_CHECK_RATE = 1.0
        approve_all(desk, review)
        finish(desk, review)
        chief = person("chief", finance, senior=True)
        sign_in(chief).post(reverse("spot-check-take", args=[task.pk]))
        task.refresh_from_db()
        assert seniors_with_the_seat(task) == {chief.pk}
        tied(staff, chief, author)
        assert seniors_with_the_seat(task) == set()
        event = task.history.get(data__event="spot_check_released")
        assert event.reason == "A tie to the author has been found since."
        assert len(told(chief)) == 1
        other = person("other-chief", finance, senior=True)
        sign_in(other).post(reverse("spot-check-take", args=[task.pk]))
        assert seniors_with_the_seat(task) == {other.pk}


class TestFinishedWork:
    def test_a_finished_round_stays_and_staff_read_of_it_beside_the_conflict(
        self, staff, author, reviewer, colleague, review, task, desk, sign_in
    ):
        approve_all(desk, review)
        finish(desk, review)
        assert stage(task) == Stage.APPROVED
        tied(staff, author, reviewer)
        review.refresh_from_db()
        assert review.state == "assigned"  # it is finished: the approval stands
        page = words_of(sign_in(staff).get(STAFF).content.decode())
        assert "Work finished on 1 task of the other" in page
        assert f"{reviewer.pseudonym} · {task} · review rounds: 1" in page

    def test_opened_again_the_task_goes_to_another_reviewer(
        self, staff, author, reviewer, colleague, review, task, desk, sign_in, study
    ):
        approve_all(desk, review)
        finish(desk, review)
        tied(staff, author, reviewer)
        sign_in(staff).post(
            reverse("staff-task-reopen", args=[task.pk]), {"reason": "Its reviewer is a co-author."}
        )
        send(study, task)
        assert [row.reviewer for row in task.reviews.filter(state="assigned")] == [colleague]

    def test_staff_who_wrote_the_task_do_not_read_who_judged_it(
        self, staff, author, reviewer, review, desk, sign_in
    ):
        approve_all(desk, review)
        finish(desk, review)
        tied(staff, author, reviewer)
        make_staff(author)
        page = words_of(sign_in(author).get(STAFF).content.decode())
        assert "Work finished" not in page
