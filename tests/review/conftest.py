"""A task in review, its people and their browsers. Nothing is drawn for a spot check by default."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client, override_settings

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.policy.actions import change_policy, policy_for, rules_of
from review.policy.models import ReviewPolicy
from review.rounds.assignment_models import Review, Round
from rubrics.sending.actions import send_to_review
from tests.conftest import new_domain, new_person
from tests.rubrics.conftest import refining, screener  # noqa: F401
from tests.rubrics.walk import to_refining
from tests.worlds import World


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0


def set_rules(staff: User, domain: Domain | None = None, **changed: Any) -> ReviewPolicy:
    """Change some rules of review as staff would; the rest stays."""
    now = rules_of(policy_for(domain.pk if domain else 0))
    return change_policy(actor=staff, domain=domain, **{**now, **changed})


@pytest.fixture
def rules(staff: User) -> Callable[..., ReviewPolicy]:
    """Set rules of review: `rules(reviewers=2, quorum=2)`."""
    return partial(set_rules, staff)


@pytest.fixture
def reviewer(peer: User) -> User:
    """The one eligible colleague besides the author and the screener."""
    return peer


@pytest.fixture
def in_review(
    refining: Callable[..., Task],  # noqa: F811
    author: User,
    reviewer: User,
) -> Callable[..., Task]:
    """Make a task in IN_REVIEW whose first round is open: `in_review(lines=40)`."""

    def make(**options: Any) -> Task:
        task = refining(**options)
        send_to_review(actor=author, task=task)
        task.refresh_from_db()
        return task

    return make


def begin_review(**options: Any) -> dict[str, Any]:
    """Walk a new task to IN_REVIEW; it, its domain and its three people by name."""
    finance = new_domain("finance")
    people = {name: new_person(name, finance) for name in ("author", "screener", "peer")}
    task = to_refining(people["author"], people["screener"], finance, **options)
    send_to_review(actor=people["author"], task=task)
    return {"finance": finance, "task": task, **people}


@pytest.fixture(scope="module")
def review_world(world_database: None) -> World:
    """A task in IN_REVIEW whose first round is open."""
    with override_settings(SPOT_CHECK_RATE=0.0):
        return World(**begin_review())


@pytest.fixture
def task(review_world: World) -> Task:
    return review_world["task"]


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
