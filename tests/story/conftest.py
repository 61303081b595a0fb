"""A rubric of four lines in review; nobody is drawn for a spot check."""

from typing import Any

import pytest
from django.test import override_settings

from curation.tasks.task.models import Task
from tests.review.conftest import (  # noqa: F401
    begin_review,
    desk,
    in_review,
    nothing_is_drawn,
    refining,
    review,
    reviewer,
    screener,
    study,
)
from tests.worlds import World


@pytest.fixture(scope="module")
def review_world(world_database: None) -> World:
    """A rubric of four lines whose first round is open."""
    with override_settings(SPOT_CHECK_RATE=0.0, RUBRIC_MIN_CRITERIA=3):
        return World(**begin_review(lines=4))


@pytest.fixture
def task(review_world: World, settings: Any) -> Task:
    settings.RUBRIC_MIN_CRITERIA = 3
    return review_world["task"]
