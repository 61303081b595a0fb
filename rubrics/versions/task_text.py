"""A task's text without its author."""

from dataclasses import dataclass
from typing import Any

from curation.domains.models import Category, Domain
from curation.tasks.models import Task


@dataclass(frozen=True)
class TaskText:
    """What a colleague reads of a task."""

    pk: int
    title: str
    language: str
    scenario: str
    materials: str
    requirements: str
    reference_answer: str
    domain: str
    category: str
    stage: str = ""


def task_text(pk: int) -> TaskText:
    """The text of a task; only these columns are selected."""
    row: dict[str, Any] = dict(
        Task.objects.filter(pk=pk)
        .values(
            "pk",
            "title",
            "language",
            "stage",
            "scenario",
            "materials",
            "requirements",
            "reference_answer",
            "domain__name",
            "domain__name_zh",
            "category__name",
            "category__name_zh",
        )
        .get()
    )
    domain = Domain(name=row.pop("domain__name"), name_zh=row.pop("domain__name_zh"))
    category = Category(
        name=row.pop("category__name") or "", name_zh=row.pop("category__name_zh") or ""
    )
    return TaskText(**row, domain=str(domain), category=str(category))


def text_of(task: Task) -> TaskText:
    """The same of a task that is loaded already, with its domain and category: no query."""
    return TaskText(
        pk=task.pk,
        title=task.title,
        language=task.language,
        scenario=task.scenario,
        materials=task.materials,
        requirements=task.requirements,
        reference_answer=task.reference_answer,
        domain=str(task.domain),
        category=str(task.category or ""),
        stage=task.stage,
    )
