"""Tasks at the stages these tests begin from, each reached by walking the real actions."""

from collections.abc import Callable
from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.screening.panels.actions import join_panel
from curation.screening.panels.seats import open_place
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.models import Task

PARTS: dict[str, Any] = {
    "title": "Covenant check before the credit committee",
    "scenario": "You are the credit analyst of a regional bank. The committee meets tomorrow.",
    "materials": "Net debt 90.0 million, EBITDA 30.0 million, covenant 3.25 times.",
    "requirements": "Write a memo of at most 400 words with a recommendation in its first line.",
    "reference_answer": "Leverage is 3.00 times, so the covenant holds by 0.25 times. " * 25,
    "minutes": 180,
    "rate_band": "100_200",
    "change": "static",
}


@pytest.fixture
def draft(author: User, finance: Domain) -> Task:
    """A complete draft of the author."""
    return create_task(actor=author, domain=finance, **PARTS)


@pytest.fixture
def make_draft(finance: Domain) -> Callable[..., Task]:
    """Make complete drafts: `make_draft(author, title="Another")`."""

    def make(author: User, **changes: Any) -> Task:
        return create_task(actor=author, domain=finance, **{**PARTS, **changes})

    return make


@pytest.fixture
def screened(draft: Task, author: User) -> Task:
    """The author's task, waiting for its panel."""
    submit_task(actor=author, task=draft)
    return open_screening(task=draft, reason="Probing skipped: no model is configured.")


@pytest.fixture
def seated(screened: Task, peer: User) -> Task:
    """The same, with a colleague on the panel who has it on the screen."""
    join_panel(actor=peer, task=screened)
    open_place(actor=peer, task=screened)
    return screened


def form_of(task: Task, **changes: Any) -> dict[str, Any]:
    """What the editor sends for a task as it is saved, with some fields changed."""
    task.refresh_from_db()
    return {
        "version": task.version,
        "title": task.title,
        "category": task.category.key if task.category else "",
        "language": task.language,
        "minutes": task.minutes or "",
        "rate_band": task.rate_band,
        "change": task.change,
        "sources": task.sources,
        "scenario": task.scenario,
        "materials": task.materials,
        "requirements": task.requirements,
        "reference_answer": task.reference_answer,
        **changes,
    }
