"""Tasks in screening, each reached by walking the real actions."""

from collections.abc import Callable
from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import ScreeningPolicy
from curation.screening.panels.policy import RULES, change_policy, common_policy
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.models import Task
from tests.runs.engine.conftest import stub  # noqa: F401  the server that misbehaves
from tests.tasks.authoring.conftest import PARTS

SUSPECT = {
    "asked": 6, "graded": 6, "passed": 0, "low": 0.0, "high": 0.3903, "solved": 60, "easy": 80,
    "suspect": 10, "by_rules": False, "models": [],
}  # fmt: skip


@pytest.fixture
def rules(staff: User) -> Callable[..., ScreeningPolicy]:
    """Set the rules of all domains, as staff do: `rules(quorum=3, tie="reject")`."""

    def set_rules(domain: Domain | None = None, **changed: Any) -> ScreeningPolicy:
        now = {name: getattr(common_policy(), name) for name in RULES}
        return change_policy(actor=staff, domain=domain, **{**now, **changed})

    return set_rules


@pytest.fixture
def draft(author: User, finance: Domain) -> Task:
    """A complete draft of the author."""
    return create_task(actor=author, domain=finance, **PARTS)


@pytest.fixture
def screened(draft: Task, author: User) -> Task:
    """The author's task, waiting for its panel."""
    submit_task(actor=author, task=draft)
    return open_screening(task=draft, probing={"problem": "no_model"})


@pytest.fixture
def screened_by(draft: Task, author: User, rules: Any) -> Callable[..., Task]:
    """The author's task, to be decided by so many votes: `screened_by(3, tie="one_more")`."""

    def make(quorum: int, **changed: Any) -> Task:
        rules(quorum=quorum, **changed)
        submit_task(actor=author, task=draft)
        return open_screening(task=draft)

    return make


@pytest.fixture
def seated(screened: Task, peer: User) -> Task:
    """The same, with a colleague on the panel."""
    join_panel(actor=peer, task=screened)
    return screened


@pytest.fixture
def suspect(draft: Task, author: User) -> Task:
    """The author's task, with a finding that asks for a check of its reference answer."""
    submit_task(actor=author, task=draft)
    return open_screening(task=draft, finding="suspect", probing=SUSPECT)
