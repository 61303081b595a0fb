"""Worlds: what real actions make once for a module, and each test then finds as it was made."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Model

COMMITTING = {"transactional_db", "live_server"}  # what these write cannot be taken back


class World:
    """Things by name. Each look reads one again, so that nothing in memory outlives a test."""

    def __init__(self, **things: Any) -> None:
        self.things = things

    def __contains__(self, name: str) -> bool:
        return name in self.things

    def __getitem__(self, name: str) -> Any:
        thing: Model = self.things[name]
        return type(thing)._default_manager.get(pk=thing.pk)


def worlds_of(test: Any) -> frozenset[str]:
    """The worlds a test asks for, through any of its fixtures."""
    return frozenset(name for name in test.fixturenames if name.endswith("_world"))


@pytest.fixture(scope="module")
def world_database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """One transaction around a module's worlds and their tests, which are savepoints within it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def given(request: pytest.FixtureRequest) -> World:
    """All that the test's worlds have; nothing where it asks for none."""
    things: dict[str, Any] = {}
    for name in worlds_of(request):
        things |= request.getfixturevalue(name).things
    return World(**things)


def commits(test: Any) -> bool:
    """Does the test write rows for good?"""
    mark = test.get_closest_marker("django_db")
    asked = mark is not None and mark.kwargs.get("transaction", False)
    return asked or not COMMITTING.isdisjoint(test.fixturenames)


def settle_worlds(tests: Iterable[Any]) -> None:
    """Give each test with a world a transaction of its own, and refuse what would break worlds.

    Raises:
        pytest.UsageError: a test commits inside a world, or the worlds of a module do not each
            build on the one before, so that some test would see rows that it did not ask for.
    """
    modules: dict[Any, set[frozenset[str]]] = {}
    for test in tests:
        worlds = worlds_of(test)
        modules.setdefault(test.path, set()).add(worlds)
        if worlds and commits(test):
            raise pytest.UsageError(f"{test.nodeid} commits: it cannot use {sorted(worlds)}")
        if worlds and not test.get_closest_marker("django_db"):
            test.add_marker(pytest.mark.django_db)
    for path, found in modules.items():
        for fewer, more in pairwise(sorted(found, key=len)):
            if not fewer < more:
                raise pytest.UsageError(f"{path}: {sorted(fewer)} beside {sorted(more)}")
