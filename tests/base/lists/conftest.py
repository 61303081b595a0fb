"""A task in review with its people, as the tests of review have it."""

from tests.review.conftest import nothing_is_drawn, review_world, task  # noqa: F401
