"""The texts of a task, as prompts show them."""

from curation.tasks.models import Task
from judge.providers import inputs


def task_text(task: Task) -> inputs.TaskText:
    """A task as a model sees it, without its reference answer."""
    return inputs.TaskText(
        id=task.key,
        title=task.title,
        language=task.language,
        domain=task.domain.name,
        scenario=task.scenario,
        materials=task.materials,
        requirements=task.requirements,
    )
