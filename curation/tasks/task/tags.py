"""Template tags for the files of a task."""

from collections.abc import Sequence
from typing import Any

from django import template

from curation.base.file_contents.models import FileContent
from curation.tasks.attachments.holders import HOLDERS
from curation.tasks.attachments.queries import AttachedFile, Box, files_of
from curation.tasks.file_views.model_files import model_files
from curation.tasks.file_views.named import names_in_files
from curation.tasks.file_views.queries import REASONS, model_sentences, reason_sentences
from curation.tasks.task.models import Task

register = template.Library()


@register.simple_tag
def task_files(pk: int) -> tuple[AttachedFile, ...]:
    """Return the files of a task, for `components/files.html` and the filter `markdown`.

    Does not check permissions: use it only on pages whose reader may read the task. The pages of
    the files check again. One query; selects nothing about the author.
    """
    return files_of(Task(pk=pk))


@register.simple_tag(takes_context=True)
def files_and_models(context: Any, box: Box) -> list[tuple[AttachedFile, list[str], str]]:
    """Return each file of a thing with what models get of it, and where it names its people.

    The former is told for tasks, since no model gets the files of trials; of these it is told why
    one could not be read. The latter is told only to those who may change the files. Eight queries
    at most.
    """
    told = _told(box.thing) if box.kind == "task" and box.files else {}
    if box.kind != "task" and box.blind:
        told = _unreadable(box.files)
    told |= {file.name: [str(REASONS["not_read"])] for file in box.files if file.pk in box.unread}
    named = {}
    if box.blind and box.may_change and box.files:
        thing = HOLDERS[box.kind].model.objects.get(pk=box.thing)
        named = names_in_files(thing, context["request"].user)
    return [(file, told.get(file.name, []), named.get(file.name, "")) for file in box.files]


@register.simple_tag
def what_models_get(pk: int) -> list[tuple[str, list[str]]]:
    """Return what models get of each file of a task, for staff. Three queries at most."""
    return list(_told(pk).items())


def _unreadable(files: Sequence[AttachedFile]) -> dict[str, list[str]]:
    failed = FileContent.objects.filter(sha256__in=[file.sha256 for file in files])
    reasons = dict(failed.exclude(reason="").values_list("sha256", "reason"))
    return {
        file.name: reason_sentences(reasons[file.sha256])
        for file in files
        if file.sha256 in reasons
    }


def _told(task: Any) -> dict[str, list[str]]:
    return {file.name: model_sentences(file) for file in model_files([task]).get(task, [])}
