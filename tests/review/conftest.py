"""A task in review, its people and their browsers. Nothing is drawn for a spot check by default."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.domains.models import Domain
from curation.people.models import User
from curation.tasks.models import Task
from review.assignment.models import Review, Round
from review.policy.actions import change_policy, policy_for, rules_of
from review.policy.models import ReviewPolicy
from rubrics.sending.actions import send_to_review
from tests.rubrics.walk import to_refining


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0


@pytest.fixture
def rules(staff: User) -> Callable[..., ReviewPolicy]:
    """Set rules of review as staff would: `rules(reviewers=2, quorum=2)`; the rest stays."""

    def set_rules(domain: Domain | None = None, **changed: Any) -> ReviewPolicy:
        now = rules_of(policy_for(domain.pk if domain else 0))
        return change_policy(actor=staff, domain=domain, **{**now, **changed})

    return set_rules


@pytest.fixture
def screener(person: Any, finance: Any) -> User:
    return person("screener", finance)


@pytest.fixture
def reviewer(peer: User) -> User:
    """The one eligible colleague besides the author and the screener."""
    return peer


@pytest.fixture
def refining(author: User, screener: User, finance: Any) -> Callable[..., Task]:
    def make(**options: Any) -> Task:
        return to_refining(author, screener, finance, **options)

    return make


@pytest.fixture
def in_review(refining: Callable[..., Task], author: User, reviewer: User) -> Callable[..., Task]:
    """Make a task in IN_REVIEW whose first round is open: `in_review(lines=40)`."""

    def make(**options: Any) -> Task:
        task = refining(**options)
        send_to_review(actor=author, task=task)
        task.refresh_from_db()
        return task

    return make


@pytest.fixture
def task(in_review: Callable[..., Task]) -> Task:
    return in_review()


@pytest.fixture
def review(task: Task, reviewer: User) -> Review:
    return Review.objects.get(task=task, reviewer=reviewer)


@pytest.fixture
def round_1(review: Review) -> Round:
    return review.rounds.get()


@pytest.fixture
def desk(sign_in: Any, reviewer: User) -> Client:
    """The reviewer's browser."""
    return sign_in(reviewer)


@pytest.fixture
def study(sign_in: Any, author: User) -> Client:
    """The author's browser."""
    return sign_in(author)
