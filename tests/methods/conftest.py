"""The stub of the engine's tests, and tasks of every form of answer."""

import pytest

from tests.importing.conftest import refused, run, write  # noqa: F401
from tests.judge_engine.conftest import judge, plan, stub  # noqa: F401
from tests.methods import factory


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
