"""The review page: who may open it and judge, and what it costs."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.tasks.task.models import Task
from review.decisions.actions import one_more_round
from review.policy.models import ReviewTerms
from review.rounds.actions import finish_round
from review.rounds.assignment_models import Comment, LineReview, Review, Round, Suggestion
from rubrics.lines.actions import edit_line
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion
from tests.markup import one_line
from tests.review.steps import PARTS, approve, finish, line_url, lines, newest_round, page_url


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


KB = 1024


@pytest.fixture
def argued(in_review: Callable[..., Task], reviewer: User, author: User) -> Callable[[], Task]:
    """Forty lines, three rounds, 120 comments: changes are asked on 40, 20 and 20 lines, with a
    suggestion on every fourth; the author answers. The third round is open."""
    words = "The figure is gross of fees; say which one is meant, and where it stands. "

    def say(task: Task, line: Criterion, side: str, person: User, round: Round | None) -> Comment:
        return Comment(
            task=task,
            line_key=line.key,
            criterion=line,
            round=round,
            side=side,
            person=person,
            text=words,
        )

    def ask(task: Task, how_many: int, *, aloud: bool) -> None:
        current = newest_round(task.reviews.get())
        waiting = current.version.criteria.exclude(reviews__round=current).order_by("position")
        rows = [
            LineReview(round=current, criterion=line, verdict="change", aspect="factual")
            if n < how_many
            else LineReview(round=current, criterion=line, verdict="approve")
            for n, line in enumerate(waiting)
        ]
        LineReview.objects.bulk_create(rows)
        asked = [row for row in rows if row.aspect]
        content = ("importance", "weight", "dimension")
        Suggestion.objects.bulk_create(
            Suggestion(
                line=row,
                text=row.criterion.text.replace("States", "Gives"),
                **{name: getattr(row.criterion, name) for name in content},
            )
            for row in asked[::4]
        )
        Comment.objects.bulk_create(
            say(task, row.criterion, "reviewer", reviewer, current) for row in asked if aloud
        )

    def answer(task: Task) -> None:
        current = newest_round(task.reviews.get())
        finish_round(actor=reviewer, round=current)
        task.refresh_from_db()
        asked = current.version.criteria.filter(reviews__round=current, reviews__verdict="change")
        Comment.objects.bulk_create(say(task, line, "author", author, None) for line in asked)
        send_to_review(actor=author, task=task)

    def make() -> Task:
        task = in_review(lines=40)
        ReviewTerms.objects.update(rounds=3)
        for how_many in (40, 20):
            ask(task, how_many, aloud=True)
            answer(task)
        ask(task, 20, aloud=False)
        return task

    return make


def test_forty_lines_three_rounds_and_120_comments_stay_light_on_every_page(
    argued: Callable[[], Task],
    desk: Client,
    study: Client,
    sign_in: Any,
    senior: User,
    staff: User,
    reviewer: User,
    author: User,
    person: Any,
    finance: Domain,
    settings: Any,
) -> None:
    settings.SPOT_CHECK_RATE = 1.0
    task = argued()
    assert Comment.objects.count() == 120
    chair = sign_in(senior)

    def weigh(browser: Client, url: str) -> str:
        browser.get("/")  # what a first visit alone costs is not the page's
        with CaptureQueriesContext(connection) as taken:
            page = browser.get(url)
        assert page.status_code == 200
        # What is asked for is fewer than 20 and less than 150 KB; some of it stays free.
        assert (len(taken) < 20, len(page.content) < 145 * KB) == (True, True), (
            f"{url}: {len(taken)} queries, {len(page.content) / KB:.0f} KB"
        )
        return page.content.decode()

    review = task.reviews.get()
    html = weigh(desk, page_url(review))
    assert html.count("Suggests:") == 20
    finish_round(actor=reviewer, round=newest_round(review))
    chair.post(reverse("decision-take", args=[task.pk]))
    assert "20 lines are open after 3 rounds." in weigh(chair, reverse("decision", args=[task.pk]))
    one_more_round(actor=staff, task=task, reason="Talk to each other.")
    study.get(reverse("rubric", args=[task.pk]))  # the worker has computed its marks since
    html = weigh(study, reverse("rubric", args=[task.pk]))
    assert html.count("Take the suggestion") >= 5
    later = re.search(r'id="line-(\d+)-thread" data-later', one_line(html))
    assert later is not None
    here = f"{reverse('rubric', args=[task.pk])}?thread="
    said = study.get(here + later[1]).content.decode()
    assert said.count("The figure is gross of fees") == 2
    assert "<html" not in said
    assert study.get(here + "0").status_code == 404

    for line in open_version_of(task).criteria.filter(
        key__in=LineReview.objects.filter(
            round__review=review, round__number=3, verdict="change"
        ).values("criterion__key")
    ):
        edit_line(actor=author, task=task, criterion=line, text=line.text.replace("St", "Now st"))
    task.refresh_from_db()
    send_to_review(actor=author, task=task)
    last = newest_round(review)
    for line in last.version.criteria.exclude(reviews__round=last):
        LineReview.objects.create(round=last, criterion=line, verdict="approve")
    finish_round(actor=reviewer, round=last)
    task.refresh_from_db()
    assert task.stage == "spot_check"
    check = sign_in(person("checker", finance, senior=True))  # who decided holds a seat already
    check.post(reverse("spot-check-take", args=[task.pk]))
    html = weigh(check, reverse("spot-check", args=[task.pk]))
    assert html.count("Mark this line") == 40


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
