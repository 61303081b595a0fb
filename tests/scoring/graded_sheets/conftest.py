"""An imported task with a rubric and responses that experts grade."""

from typing import Any

import pytest
from django.test import Client

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.scoring.graded_sheets.actions import assign_graded_sheet
from judge.scoring.graded_sheets.models import GradedSheet
from rubrics.versions.actions import import_version
from tests.conftest import new_domain, new_person
from tests.worlds import World

SECRET_MODEL = "zz-planted-model-9"  # looked for in everything a scorer is sent


def imported_task(domain: Domain, key: str) -> Task:
    task = Task.objects.create(
        key=key,
        origin=Origin.EXTERNAL,
        domain=domain,
        title=f"Memo {key}",
        stage=Stage.APPROVED,
        requirements="Write the memo.",
        reference_answer="The covenant is broken in March.",
    )
    line = {"text": "Names March.", "importance": "essential", "weight": 7, "dimension": "accuracy"}
    import_version(task=task, lines=[line])
    return task


def answer(task: Task, model: str, text: str = "It is broken in **March**.") -> Response:
    return Response.objects.create(
        key=f"{task.key}-{model}",
        task=task,
        candidate=families.candidate_named(model),
        text=text,
        source=Response.Source.IMPORTED,
    )


@pytest.fixture(scope="module")
def graded_world(world_database: None) -> World:
    """Two tasks of another benchmark, a response to each, and three experts of finance."""
    finance = new_domain("finance")
    puzzles = Domain.objects.create(key="puzzles", name="Puzzles", external=True)
    people = {name: new_person(name, finance) for name in ("first", "second", "third")}
    tasks = [imported_task(puzzles, f"x-{n}") for n in (1, 2)]
    response = answer(tasks[0], SECRET_MODEL)
    answer(tasks[1], SECRET_MODEL)
    return World(finance=finance, puzzles=puzzles, task=tasks[0], response=response, **people)


@pytest.fixture
def response(graded_world: World) -> Response:
    return graded_world["response"]


@pytest.fixture
def grader(graded_world: World) -> User:
    return graded_world["first"]


@pytest.fixture
def sheet(response: Response, grader: User) -> GradedSheet:
    """An open graded sheet of the first expert."""
    return assign_graded_sheet(response=response, scorer=grader)


@pytest.fixture
def desk(grader: User, sign_in: Any) -> Client:
    """The first expert's browser."""
    return sign_in(grader)
