"""The stub of the engine's tests, and tasks of every form of answer."""

import pytest

from tests.gold.importing.conftest import refused, run, write  # noqa: F401
from tests.methods.base import factory
from tests.runs.engine.conftest import judge, plan, stub  # noqa: F401


@pytest.fixture
def graded_task():
    return factory.task_of("text")


@pytest.fixture
def exact_task():
    return factory.task_of("exact")


@pytest.fixture
def list_task():
    return factory.task_of("list")


@pytest.fixture
def profile_task():
    return factory.task_of("profile")
