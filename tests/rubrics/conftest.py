"""A task that is being refined, and the browser of its author."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.joining.people import User
from curation.tasks.task.models import Task
from tests.conftest import new_domain, new_person
from tests.rubrics.walk import to_refining
from tests.runs.engine.conftest import stub  # noqa: F401  a model to ask
from tests.worlds import World


@pytest.fixture
def screener(person: Any, finance: Any) -> User:
    return person("screener", finance)


@pytest.fixture
def refining(author: User, screener: User, finance: Any) -> Callable[..., Task]:
    """Make a task in REFINING: `refining(lines=14)`."""

    def make(**options: Any) -> Task:
        return to_refining(author, screener, finance, **options)

    return make


@pytest.fixture(scope="module")
def refining_world(world_database: None) -> World:
    """A task in REFINING and its two people."""
    finance = new_domain("finance")
    author, keeper = new_person("author", finance), new_person("screener", finance)
    task = to_refining(author, keeper, finance)
    return World(finance=finance, author=author, screener=keeper, task=task)


@pytest.fixture
def task(refining_world: World) -> Task:
    return refining_world["task"]


@pytest.fixture
def browser(sign_in: Any, author: User) -> Client:
    return sign_in(author)
