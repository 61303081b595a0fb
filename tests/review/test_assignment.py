"""Who reviews what: drawn, taken, refused, handed back, assigned by staff."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.refusals import Conflict
from curation.joining.notices.models import Notice
from curation.joining.people import Qualification, User, in_conflict, people_in_conflict_with
from curation.qualifying.applications.models import Application
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Seat, Task
from review.conflicts.models import ConflictOfInterest
from review.policy.models import ReviewTerms
from review.rounds.assignment_actions import assign, eligible_reviewers
from review.rounds.assignment_models import Review
from review.rounds.assignment_queries import mine, pool
from review.rounds.expiry import expire_overdue
from review.rounds.notices import remind_reviewers
from review.spot_checks.queries import queue, rates
from tests.review.steps import approve, approve_all, finish, lines, request_change, send


def take(browser: Client, task: Task) -> Any:
    return browser.post(reverse("review-take", args=[task.pk]))


@pytest.fixture
def nobody_free(rules: Any) -> None:
    """Nobody is drawn, so that the task waits in the pool."""
    rules(draw=False)


@pytest.fixture
def pooled(nobody_free: None, in_review: Callable[..., Task]) -> Task:
    return in_review()


# --- conflicts -----------------------------------------------------------------------------------
def test_the_same_employer_is_a_conflict_however_it_is_written(person: Any) -> None:
    ana = person("ana", affiliation="Universität Köln")
    ben = person("ben", affiliation="  UNIVERSITÄT   köln ")
    cem = person("cem", affiliation="")
    dee = person("dee", affiliation="")
    assert in_conflict(ana, ben)
    assert in_conflict(ben, ana)
    assert not in_conflict(cem, dee)  # knowing nothing is no tie
    assert people_in_conflict_with(ana) == {ben.pk}


def test_a_declared_conflict_and_a_referral_hold_in_both_directions(
    person: Any, finance: Any, staff: User
) -> None:
    ana, ben, cem = person("ana"), person("ben"), person("cem")
    ConflictOfInterest.objects.create(
        one=ana, other=ben, kind=ConflictOfInterest.Kind.COAUTHOR, declared_by=staff
    )
    refer(ana, cem, finance)
    for one, other in ((ana, ben), (ana, cem)):
        assert in_conflict(one, other)
        assert in_conflict(other, one)
    assert not in_conflict(ben, cem)


@pytest.mark.parametrize("tie", ["affiliation", "declared", "referral"])
def test_somebody_tied_to_the_author_is_never_drawn_and_is_refused(
    tie: str,
    refining: Callable[..., Task],
    study: Client,
    author: User,
    reviewer: User,
    finance: Any,
    staff: User,
    sign_in: Any,
) -> None:
    if tie == "affiliation":
        for user in (author, reviewer):
            user.affiliation = "Same Bank"
            user.save(update_fields=["affiliation"])
    elif tie == "declared":
        one, other = sorted((author, reviewer), key=lambda user: user.pk)
        ConflictOfInterest.objects.create(one=one, other=other, kind="advisor", declared_by=staff)
    else:
        refer(author, reviewer, finance)
    task = refining()
    send(study, task)
    task.refresh_from_db()
    assert task.stage == Stage.IN_REVIEW
    assert not task.reviews.exists()
    browser = sign_in(reviewer)
    assert task.title not in browser.get(reverse("reviews")).content.decode()
    assert take(browser, task).status_code == 404  # a reason would tell who the author is
    assert not Seat.objects.filter(task=task, user=reviewer).exists()
    chosen = sign_in(staff).post(
        reverse("staff-review-assign", args=[task.pk]), {"reviewer": reviewer.pk}
    )
    assert chosen.status_code == 400


def refer(one: User, other: User, domain: Any) -> None:
    """`one` referred `other`."""
    Application.objects.create(
        user=other,
        domain=domain,
        route=Application.Route.REFERRAL,
        referred_by=one,
        affiliation="",
        degree="MSc",
        years=5,
        credentials="CFA charter",
    )


# --- drawing and taking --------------------------------------------------------------------------
def test_the_author_and_the_screener_never_review_their_task(
    pooled: Task, sign_in: Any, author: User, screener: User
) -> None:
    for person, status in ((author, 403), (screener, 409)):
        browser = sign_in(person)
        assert pooled.title not in browser.get(reverse("reviews")).content.decode()
        assert take(browser, pooled).status_code == status
    assert not pooled.reviews.exists()


def test_somebody_of_another_domain_finds_nothing(
    pooled: Task, sign_in: Any, stranger: User, applicant: User, client: Client
) -> None:
    assert take(sign_in(stranger), pooled).status_code == 404
    assert take(sign_in(applicant), pooled).status_code == 403
    assert take(client, pooled).status_code == 302


def test_a_review_taken_from_the_pool_is_gone_for_the_next(
    pooled: Task, sign_in: Any, reviewer: User, senior: User
) -> None:
    browser, late = sign_in(reviewer), sign_in(senior)
    assert pooled.title in late.get(reverse("reviews")).content.decode()
    answer = take(browser, pooled)
    review = Review.objects.get(task=pooled)
    assert answer["Location"] == reverse("review", args=[review.pk])
    assert take(late, pooled).status_code == 409
    assert pooled.title not in late.get(reverse("reviews")).content.decode()
    assert Seat.objects.get(task=pooled, user=reviewer).role == Role.REVIEWER


def test_a_task_that_is_not_in_review_cannot_be_taken(
    refining: Callable[..., Task], sign_in: Any, reviewer: User
) -> None:
    assert take(sign_in(reviewer), refining()).status_code == 409


def test_the_least_busy_colleague_is_drawn(
    in_review: Callable[..., Task], reviewer: User, senior: User
) -> None:
    first = in_review(title="First")
    second = in_review(title="Second")
    assert {r.reviewer_id for r in Review.objects.all()} == {reviewer.pk, senior.pk}
    assert first.reviews.get().reviewer_id != second.reviews.get().reviewer_id


def test_a_scorer_of_the_task_is_not_eligible(pooled: Task, reviewer: User, senior: User) -> None:
    take_seat(task=pooled, user=reviewer, role=Role.SCORER)
    assert [person.pk for person in eligible_reviewers(pooled)] == [senior.pk]


def test_assigning_by_hand_offers_only_who_is_eligible(
    pooled: Task, sign_in: Any, staff: User, reviewer: User, screener: User
) -> None:
    browser, address = sign_in(staff), reverse("staff-review-assign", args=[pooled.pk])
    page = browser.get(address).content.decode()
    assert reviewer.display_name in page
    assert screener.display_name not in page
    assert browser.post(address, {"reviewer": screener.pk}).status_code == 400
    assert browser.post(address, {}).status_code == 400
    done = browser.post(address, {"reviewer": reviewer.pk})
    assert done["Location"] == reverse("staff-task", args=[pooled.pk])
    assert pooled.reviews.get().assigned_by == staff


# --- handing back --------------------------------------------------------------------------------
def test_a_review_handed_back_goes_to_a_colleague_and_the_seat_stays_taken(
    task: Task, review: Review, desk: Client, senior: User, person: Any, finance: Any, sign_in: Any
) -> None:
    next_one = person("next", finance)
    address = reverse("review-decline", args=[review.pk])
    assert desk.get(address).status_code == 200
    assert desk.post(address, {"reason": "  "}).status_code == 400
    assert desk.post(address, {"reason": "I advise the borrower."}).status_code == 302
    review.refresh_from_db()
    assert (review.state, review.reason) == ("declined", "I advise the borrower.")
    other = Review.objects.exclude(pk=review.pk).get()
    assert other.reviewer in (senior, next_one)
    assert other.number == 2
    assert desk.get(reverse("review", args=[review.pk])).status_code == 409
    assert desk.post(address, {"reason": "Again."}).status_code == 409
    assert take(desk, task).status_code == 409  # the seat is still held
    assert not mine(desk_user(desk)).exists()


def desk_user(browser: Client) -> User:
    return User.objects.get(pk=browser.session["_auth_user_id"])


def test_a_finished_approval_cannot_be_handed_back(
    task: Task, review: Review, desk: Client
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    answer = desk.post(reverse("review-decline", args=[review.pk]), {"reason": "Too late."})
    assert answer.status_code == 409
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED


def test_a_suspended_reviewer_is_replaced_in_the_next_round(
    task: Task, review: Review, desk: Client, study: Client, reviewer: User, senior: User
) -> None:
    line = lines(review)[0]
    request_change(desk, review, line)
    approve_all(desk, review, but=1)
    finish(desk, review)
    Qualification.objects.filter(user=reviewer).update(active=False)
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": line.key, "comment": "So."})
    send(study, task)
    review.refresh_from_db()
    assert review.state == "declined"
    new = Review.objects.get(task=task, state="assigned")
    assert new.reviewer == senior
    assert not new.rounds.get().lines.exists()  # nobody's approvals are inherited


# --- lists ---------------------------------------------------------------------------------------
def test_an_empty_list_says_what_comes_next(desk: Client) -> None:
    page = desk.get(reverse("reviews")).content.decode()
    assert "No rubrics are waiting for your review" in page
    assert "Every rubric in review has its reviewer." in page


@pytest.mark.parametrize("tasks", [1, 4])
def test_the_lists_take_the_same_few_queries_however_long(
    in_review: Callable[..., Task],
    sign_in: Any,
    reviewer: User,
    senior: User,
    tasks: int,
    django_assert_max_num_queries: Any,
    settings: Any,
) -> None:
    settings.PROMPTS_PER_EXPERT = tasks
    for n in range(tasks):
        in_review(title=f"Task {n}")
    ReviewTerms.objects.update(reviewers=2)  # one more place in each: the rest is in the pool
    desk, chair = sign_in(reviewer), sign_in(senior)
    with django_assert_max_num_queries(14):
        page = desk.get(reverse("reviews"))
    html = page.content.decode()
    assert all(f"Task {n}" in html for n in range(tasks))
    with django_assert_max_num_queries(14):
        chair.get(reverse("spot-checks"))


def test_the_pool_shows_its_tasks_oldest_first_with_their_lines(
    pooled: Task, reviewer: User
) -> None:
    (row,) = pool(reviewer)
    assert (row.pk, row.line_count) == (pooled.pk, 15)
    assert row.stage_since <= timezone.now()


def test_staff_see_the_rate_that_was_achieved_per_domain(
    task: Task, review: Review, desk: Client, sign_in: Any, staff: User, senior: User
) -> None:
    approve_all(desk, review)
    finish(desk, review)
    assert rates() == [{"domain": "Finance", "closed": 1, "drawn": 0, "share": 0.0}]
    page = sign_in(staff).get(reverse("spot-checks")).content.decode()
    assert "Share drawn so far" in page
    assert list(queue(senior, Stage.SPOT_CHECK)) == []
    assert "Share drawn so far" not in sign_in(senior).get(reverse("spot-checks")).content.decode()


def test_only_seniors_and_staff_see_the_spot_checks(desk: Client, client: Client) -> None:
    assert desk.get(reverse("spot-checks")).status_code == 403
    assert client.get(reverse("spot-checks")).status_code == 302


def test_assigning_twice_is_refused(pooled: Task, reviewer: User, senior: User) -> None:
    assign(task=pooled, reviewer=reviewer, actor=None)
    with pytest.raises(Conflict, match="already has enough reviewers"):
        assign(task=pooled, reviewer=senior, actor=None)


# --- in time -------------------------------------------------------------------------------------
def overdue(review: Review) -> None:
    Review.objects.filter(pk=review.pk).update(due_at=timezone.now() - timedelta(hours=1))


def test_a_review_that_is_not_finished_in_time_goes_to_a_colleague(
    task: Task, review: Review, desk: Client, senior: User
) -> None:
    line = lines(review)[0]
    request_change(desk, review, line, comment="Gross or net?")
    assert expire_overdue() == 0  # it is not due yet
    overdue(review)
    assert expire_overdue() == 1
    assert expire_overdue() == 0
    review.refresh_from_db()
    assert review.state == "expired"
    assert task.reviews.get(state="assigned").reviewer == senior
    answer = desk.get(reverse("review", args=[review.pk]))
    assert answer.status_code == 409
    assert approve(desk, review, line).status_code == 409
    assert Notice.objects.filter(recipient=review.reviewer, kind="review_expired").count() == 1
    assert task.history.filter(data__event="review_expired").count() == 1
    assert desk.post(reverse("review-resume", args=[review.pk])).status_code == 409  # taken over
    assert task.title not in desk.get(reverse("reviews")).content.decode()


def test_while_nobody_has_taken_it_over_it_can_be_taken_again_with_its_verdicts(
    task: Task, review: Review, desk: Client, senior: User, reviewer: User
) -> None:
    Qualification.objects.filter(user=senior).update(active=False)
    line = lines(review)[0]
    approve(desk, review, line)
    overdue(review)
    expire_overdue()
    assert "Take it again" in desk.get(reverse("reviews")).content.decode()
    assert desk.post(reverse("review-resume", args=[review.pk])).status_code == 302
    again = review.rounds.get()
    assert (again.finished_at, again.lines.count()) == (None, 1)
    approve_all(desk, review, but=1)
    finish(desk, review)
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED


def test_each_due_date_is_reminded_of_once(task: Task, review: Review) -> None:
    def reminded(before: timedelta) -> int:
        remind_reviewers(review.due_at - before)
        return Notice.objects.filter(recipient=review.reviewer, kind="review_due").count()

    assert [reminded(timedelta(hours=2)), reminded(timedelta(hours=1))] == [1, 1]
    Review.objects.filter(pk=review.pk).update(due_at=review.due_at + timedelta(days=14))
    review.refresh_from_db()  # staff gave more time
    assert [reminded(timedelta(hours=2)), reminded(timedelta(hours=1))] == [2, 2]


def test_a_rubric_with_its_author_expires_for_nobody(
    task: Task, review: Review, desk: Client
) -> None:
    request_change(desk, review, lines(review)[0])
    approve_all(desk, review, but=1)
    finish(desk, review)
    overdue(review)
    assert expire_overdue() == 0
