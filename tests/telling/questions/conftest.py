"""A task in review, everybody around it, and a way to ask about it."""

from typing import Any

import pytest
from django.test import override_settings

from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.telling.questions.actions import answer_question, ask_about_task
from curation.telling.questions.models import AskedQuestion
from review.conflicts.actions import propose_conflict
from rubrics.versions.queries import version_to_read
from tests.conftest import new_person
from tests.review.conftest import begin_review
from tests.worlds import World

TEXT = "Does the figure have to be stated to the decimal?"


@pytest.fixture(scope="module")
def asking_world(world_database: None) -> World:
    """A task in review, with seniors: one free, one in conflict with the author, one a reviewer."""
    with override_settings(SPOT_CHECK_RATE=0.0):
        made = begin_review()
    finance = made["finance"]
    staff = new_person("staff", is_staff=True)
    senior = new_person("senior", finance, senior=True)
    tied = new_person("tied", finance, senior=True)
    propose_conflict(actor=staff, person=tied, other=made["author"], kind="coauthor")
    return World(
        **made,
        staff=staff,
        senior=senior,
        tied=tied,
        colleague=new_person("colleague", finance),
    )


@pytest.fixture
def task(asking_world: World) -> Task:
    return asking_world["task"]


@pytest.fixture
def reviewer(asking_world: World) -> User:
    return asking_world["peer"]


@pytest.fixture
def line(task: Task) -> Any:
    """The third line of the rubric as its reviewer reads it."""
    version = version_to_read(task)
    assert version is not None
    return version.criteria.all()[2]


@pytest.fixture
def asked(task: Task, reviewer: User, line: Any) -> AskedQuestion:
    """The reviewer's question about line 3."""
    return ask_about_task(actor=reviewer, task=task, text=TEXT, line=line.key)


@pytest.fixture
def answered(asked: AskedQuestion, senior: User) -> AskedQuestion:
    answer_question(actor=senior, question=asked, text="Yes, as the table has it.")
    asked.refresh_from_db()
    return asked
