"""The files of a task, on the pages that show its text."""

from typing import Any

from django import template

from curation.attachments.queries import files_of
from curation.tasks.models import Task

register = template.Library()


@register.inclusion_tag("components/files.html")
def task_files(pk: int) -> dict[str, Any]:
    """Names and sizes, as links. For pages whose reader may read the task: the tag does not ask.

    One query; nothing of the author is in it. The download asks again.
    """
    return {"files": files_of(Task(pk=pk))}
