"""What a test that asks thousands of times need not have for each: counts, and lines of a log."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from config import urls  # noqa: F401  whoever imports the real counts has them by now
from config.navigation import counts_for
from curation.joining.people import User


@contextmanager
def counted_once() -> Iterator[None]:
    """Keep each person's counts from their first page.

    The counts stand on every page and cost more than many of the pages themselves; the tests of
    the navigation see that they are right.
    """
    counted: dict[int, dict[str, int]] = {}

    def once(user: User) -> dict[str, int]:
        if user.pk not in counted:
            counted[user.pk] = counts_for(user)
        return counted[user.pk]

    with mock.patch("config.navigation.counts_for", once):
        yield


@contextmanager
def no_requests_kept() -> Iterator[None]:
    """Do not write down that a request was refused: most are, and the answer is what is looked at.

    pytest would keep each such line, and with it the request, until the end.
    """
    logger = logging.getLogger("django.request")
    was = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(was)
