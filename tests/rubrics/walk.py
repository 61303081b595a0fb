"""Ways to the stages these tests start from: always through the real actions."""

from typing import Any

from curation.joining.domains.models import Domain
from curation.screening.panels.actions import join_panel
from curation.screening.panels.voting_actions import open_screening, vote
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.models import Task
from rubrics.versions.actions import record_draft
from rubrics.versions.models import Criterion, RubricVersion

PARTS: dict[str, Any] = {
    "scenario": "You advise a credit committee.",
    "materials": "Net debt is EUR 96.4 million; the purchase adds EUR 38.0 million.",
    "requirements": "Write a memo of two pages with a recommendation.",
    "reference_answer": "Net debt rises to EUR 134.4 million. I recommend consent.",
    "minutes": 120,
    "rate_band": "100_200",
    "change": "static",
}


def drafted_lines(n: int) -> list[dict[str, Any]]:
    """Distinct lines of a draft; each names another figure."""
    return [
        {
            "text": f"States figure {i} of the covenant table as EUR {100 + i} million.",
            "importance": ("essential", "important", "optional")[i % 3],
            "weight": (8, 5, 3)[i % 3],
            "dimension": ("accuracy", "compliance", "structure")[i % 3],
            "quote": "Net debt rises to EUR 134.4 million.",
        }
        for i in range(1, n + 1)
    ]


def to_refining(
    author: Any,
    screener: Any,
    domain: Domain,
    *,
    lines: int | list[dict[str, Any]] = 15,
    title: str = "Covenant headroom",
    category: Any = None,
) -> Task:
    """A task of the author, kept by the panel, with a model's draft beside the open version.

    Args:
        lines: the lines of the draft, or how many.
    """
    task = create_task(actor=author, domain=domain, title=title, category=category, **PARTS)
    submit_task(actor=author, task=task)
    open_screening(task=task)
    keep_it(screener, task)
    task.refresh_from_db()
    drafted = drafted_lines(lines) if isinstance(lines, int) else lines
    record_draft(task=task, lines=drafted, drafted_by="Model D")
    task.refresh_from_db()
    return task


def keep_it(screener: Any, task: Task) -> None:
    """Join the panel of a task and vote to keep it."""
    join_panel(actor=screener, task=task)
    vote(
        actor=screener,
        task=task,
        difficult=True,
        representative=True,
        gradable=True,
        decision="keep",
        reasons="Hard, typical, gradable.",
    )


def open_version(task: Task) -> RubricVersion:
    """The author's working version."""
    return task.rubric_versions.get(frozen_at__isnull=True)


def lines_of(task: Task) -> list[Criterion]:
    """The lines of the working version, in order."""
    return list(open_version(task).criteria.order_by("position", "id"))
