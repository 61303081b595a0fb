"""The texts of a task for prompts."""

from curation.tasks.models import Task
from judge.providers import inputs


def task_text(task: Task) -> inputs.TaskText:
    """Return the texts of a task that a model may see, without the reference answer."""
    return inputs.TaskText(
        id=task.key,
        title=task.title,
        language=task.language,
        domain=task.domain.name,
        scenario=task.scenario,
        materials=task.materials,
        requirements=task.requirements,
    )
