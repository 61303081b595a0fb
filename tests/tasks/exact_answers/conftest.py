"""Tasks with an exact answer, each walked to its stage by the actions behind the pages."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import PanelPlace, Solve
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.exact_actions import save_exact
from curation.tasks.task.exact_checks import Step
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task

QUESTION: dict[str, Any] = {
    "title": "Border prefectures of three provinces",
    "requirements": "Together, how many prefectures of the three north-eastern provinces border "
    "another country?",
    "minutes": 15,
    "rate_band": "50_100",
    "change": "static",
}
STEPS = (
    Step(
        "Look up the prefectures of Liaoning: only Dandong-Kappa has a border.",
        "https://statistics.example.org/liaoning",
        date(2023, 5, 1),
    ),
    Step(
        "Add the three of Jilin and the eight of Heilongjiang.",
        "https://statistics.example.org/jilin",
        date(2024, 2, 1),
    ),
)
WRITTEN: dict[str, Any] = {
    "answer": "12",
    "kind": "number",
    "unit": "prefectures",
    "tolerance": None,
    "tolerance_is_percent": False,
    "alternatives": [],
    "level": 2,
    "cutoff": date(2024, 12, 31),
    "why_unique": "The borders are defined by treaty.",
    "why_stable": "Neither borders nor prefectures change.",
}
EXACT_TESTS = ("unique_answer", "stable_answer", "not_on_one_page", "good_sources", "before_cutoff")
KEEP = {
    **dict.fromkeys(("difficult", "representative", "gradable", *EXACT_TESTS), "yes"),
    "decision": "keep",
    "reasons": "A question that one has to work for.",
}


def write_answer(author: User, task: Task, **changes: Any) -> ExactAnswer:
    """Write down the answer and the steps of a draft: `write_answer(author, task, answer="13")`."""
    revision = ExactAnswer.objects.get(task=task).revision
    values = {**WRITTEN, **changes}
    steps = values.pop("steps", STEPS)
    return save_exact(actor=author, task=task, revision=revision, steps=steps, **values)


def new_question(author: User, domain: Domain, **changes: Any) -> Task:
    """A complete draft with an exact answer."""
    task = create_task(actor=author, domain=domain, answer_form="exact", **{**QUESTION, **changes})
    write_answer(author, task)
    task.refresh_from_db()
    return task


def to_panel(task: Task) -> Task:
    """Submit a draft and open its screening, without drawing anybody."""
    submit_task(actor=task.author, task=task)
    return open_screening(task=task, probing={"problem": "no_model"})


@pytest.fixture
def question(author: User, finance: Domain) -> Task:
    """A complete draft with an exact answer."""
    return new_question(author, finance)


@pytest.fixture
def screened(question: Task) -> Task:
    """The question, waiting for its panel and two solvers."""
    return to_panel(question)


@pytest.fixture
def solver(person: Any, finance: Domain, screened: Task) -> Callable[[str], User]:
    """A colleague who took a solve from the pool: `solver("ana")`."""

    def take(name: str) -> User:
        someone = person(name, finance)
        join_panel(actor=someone, task=screened, kind=PanelPlace.Kind.SOLVE)
        return someone

    return take


def solve_url(task: Task, step: str = "") -> str:
    return f"/screening/{task.pk}/solve/{step}"


def solve(client: Client, task: Task, answer: str = "12") -> Any:
    """Open the question and hand an answer in."""
    client.get(solve_url(task))
    return client.post(solve_url(task), {"answer": answer})


def decide(client: Client, task: Task, verdict: str = "right", remarks: str = "Counted.") -> Any:
    return client.post(solve_url(task, "decide/"), {"verdict": verdict, "remarks": remarks})


def opened_minutes_ago(task: Task, user: User, minutes: int) -> None:
    """Move the moment at which a solver opened the question into the past."""
    mine = Solve.objects.filter(task=task, solver=user, round=task.screening_round)
    assert mine.update(started_at=timezone.now() - timedelta(minutes=minutes))
