"""Template tags for the files of a task."""

from typing import Any

from django import template

from curation.attachments.queries import files_of
from curation.tasks.models import Task

register = template.Library()


@register.inclusion_tag("components/files.html")
def task_files(pk: int) -> dict[str, Any]:
    """Show the names and sizes of a task's files as links.

    Does not check permissions: use it only on pages whose reader may read the task. The download
    checks again. One query; selects nothing about the author.
    """
    return {"files": files_of(Task(pk=pk))}
