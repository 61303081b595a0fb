"""The text of a task without its author."""

from dataclasses import dataclass
from typing import Any

from curation.joining.domains.models import Category, Domain
from curation.tasks.task.models import AnswerForm, Origin, Task


@dataclass(frozen=True)
class TaskText:
    """What reviewers and seniors read of a task."""

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
    is_skill: bool = False
    answer_form: str = AnswerForm.TEXT

    def __str__(self) -> str:
        return self.title


def task_text(pk: int) -> TaskText:
    """Load the text of a task, without selecting its author. One query."""
    row: dict[str, Any] = dict(
        Task.objects.filter(pk=pk)
        .values(
            "pk",
            "title",
            "language",
            "stage",
            "origin",
            "answer_form",
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
    is_skill = row.pop("origin") == Origin.SKILL
    return TaskText(**row, domain=str(domain), category=str(category), is_skill=is_skill)


def text_of(task: Task) -> TaskText:
    """Return the text of a task that is loaded with its domain and category. No query."""
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
        is_skill=task.is_skill,
        answer_form=task.answer_form,
    )
