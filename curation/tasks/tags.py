"""Template tags for the files of a task."""

from typing import Any

from django import template

from curation.attachments.queries import AttachedFile, Box, files_of
from curation.file_views.model_files import model_files
from curation.file_views.queries import model_sentences
from curation.tasks.models import Task

register = template.Library()


@register.simple_tag
def task_files(pk: int) -> tuple[AttachedFile, ...]:
    """Return the files of a task, for `components/files.html` and the filter `markdown`.

    Does not check permissions: use it only on pages whose reader may read the task. The pages of
    the files check again. One query; selects nothing about the author.
    """
    return files_of(Task(pk=pk))


@register.simple_tag
def files_and_models(box: Box) -> list[tuple[AttachedFile, list[str]]]:
    """Return each file of a thing with sentences on what models get of it. Three queries at most.

    There are none for the files of trials, which no model gets.
    """
    told = _told(box.thing) if box.kind == "task" and box.files else {}
    return [(file, told.get(file.name, [])) for file in box.files]


@register.simple_tag
def what_models_get(pk: int) -> list[tuple[str, list[str]]]:
    """Return what models get of each file of a task, for staff. Three queries at most."""
    return list(_told(pk).items())


def _told(task: Any) -> dict[str, list[str]]:
    return {file.name: model_sentences(file) for file in model_files([task]).get(task, [])}
