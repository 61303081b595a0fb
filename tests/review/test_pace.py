"""How fast lines were kept and approved: what reviewers, seniors and staff are told of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from curation.joining.people import User
from curation.qualifying.experts.record import facts_about
from curation.tasks.task.models import Task
from review.rounds.assignment_models import LineReview, Review
from review.rounds.pace import WORDS_A_SECOND, pace_of
from rubrics.lines.actions import confirm_line
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import open_working_version
from rubrics.versions.models import LineChange
from tests.conftest import new_person
from tests.markup import words_of
from tests.review.steps import approve_all, finish

pytestmark = pytest.mark.django_db
KEPT = "drafted lines were kept faster than they can be read."
APPROVED = "approvals were given faster than their lines can be read."
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
LINE = "States net debt after the purchase as EUR 134.4 million."  # ten words


def steps(*seconds: float, counts: bool = True) -> list[Any]:
    return [(1, NOON + timedelta(seconds=at), counts, LINE, 7) for at in seconds]


def test_a_step_is_fast_where_its_line_takes_longer_to_read_than_the_time_since_the_last_one():
    needed = 10 / WORDS_A_SECOND
    assert 1.2 < needed < 1.3
    found = pace_of(steps(0, needed - 0.1, 2 * needed))
    assert (found.n, found.of, found.tasks) == (1, 3, (7,))


def test_the_first_step_and_a_step_after_any_other_one_are_measured_against_what_they_follow():
    assert pace_of(steps(0)).n == 0
    between = [*steps(0), *steps(0.5, counts=False), *steps(0.9)]
    assert (pace_of(between).n, pace_of(between).of) == (1, 2)
    other_round = [*steps(0), (2, NOON, True, LINE, 7)]
    assert pace_of(other_round).n == 0


def test_a_line_of_chinese_is_as_long_as_its_characters():
    line = "写明减量后阿哌沙班为每次 2.5 mg，每日两次。"
    quick = [(1, NOON + timedelta(seconds=at), True, line, 7) for at in (0, 1)]
    assert pace_of(quick).n == 1


@pytest.mark.parametrize(
    ("fast", "slow", "notable"), [(4, 0, False), (5, 4, True), (5, 5, False), (20, 0, True)]
)
def test_half_of_the_steps_and_at_least_five_are_notable(fast, slow, notable):
    first = steps(*(100 * n for n in range(slow + 1)))
    found = pace_of([*first, *steps(*(100 * slow + 0.01 * n for n in range(1, fast + 1)))])
    assert (found.n, found.of) == (fast, fast + slow + 1)
    assert found.is_notable is notable


@pytest.fixture
def kept_in_a_moment(refining: Any, author: User, peer: User) -> Task:
    """A rubric of which every drafted line was confirmed at once."""
    task = refining()
    version = open_working_version(task)
    for line in version.criteria.all():
        confirm_line(actor=author, task=task, criterion=line)
    LineChange._base_manager.filter(version=version).update(at=NOON)  # however long it took
    send_to_review(actor=author, task=task)
    task.refresh_from_db()
    return task


def test_a_reviewer_is_told_that_lines_were_kept_unread(kept_in_a_moment, peer, sign_in):
    review = kept_in_a_moment.reviews.get()
    page = words_of(sign_in(peer).get(reverse("review", args=[review.pk])).content.decode())
    n = kept_in_a_moment.rubric_versions.latest("number").criteria.count()
    assert f"{n - 1} of {n} {KEPT}" in page
    assert "Read each line yourself" in page


def test_a_reviewer_of_a_rubric_without_haste_is_told_nothing(kept_in_a_moment, peer, sign_in):
    changes = LineChange._base_manager.filter(version__task=kept_in_a_moment)
    for n, pk in enumerate(changes.order_by("pk").values_list("pk", flat=True)):
        changes.filter(pk=pk).update(at=NOON + timedelta(minutes=n))
    review = kept_in_a_moment.reviews.get()
    page = words_of(sign_in(peer).get(reverse("review", args=[review.pk])).content.decode())
    assert "faster than" not in page


def test_a_senior_is_told_of_both_and_of_no_name(
    kept_in_a_moment, peer, author, finance, staff, sign_in, settings
):
    settings.SPOT_CHECK_RATE = 1.0
    review = Review.objects.get(task=kept_in_a_moment)
    desk = sign_in(peer)
    approve_all(desk, review)
    LineReview.objects.filter(round__review=review).update(at=NOON)
    finish(desk, review)
    senior = new_person("senior", finance, senior=True)
    browser = sign_in(senior)
    browser.post(reverse("spot-check-take", args=[kept_in_a_moment.pk]))
    html = browser.get(reverse("spot-check", args=[kept_in_a_moment.pk])).content.decode()
    page = words_of(html)
    assert KEPT in page
    assert APPROVED in page
    assert author.pseudonym not in page
    assert peer.pseudonym not in page
    facts = {person: [fact.sentence for fact in facts_about(person)] for person in (author, peer)}
    assert any(KEPT in sentence for sentence in facts[author])
    assert any(APPROVED in sentence for sentence in facts[peer])
    assert not any(KEPT in sentence for sentence in facts[peer])
