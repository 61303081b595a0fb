"""A rubric of four lines in review; nobody is drawn for a spot check."""

from collections.abc import Callable
from typing import Any

import pytest

from curation.tasks.models import Task
from tests.review.conftest import (  # noqa: F401
    desk,
    in_review,
    nothing_is_drawn,
    refining,
    review,
    reviewer,
    screener,
    study,
)


@pytest.fixture
def task(settings: Any, in_review: Callable[..., Task]) -> Task:  # noqa: F811
    settings.RUBRIC_MIN_CRITERIA = 3
    return in_review(lines=4)
