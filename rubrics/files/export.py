"""Exporting a version of a rubric as a file."""

from typing import Any

from django.http import HttpResponse

from curation.base.access.permissions import allows
from curation.base.web.forms import parse_int
from curation.base.web.refusals import NotFound
from curation.tasks.task.models import Task
from rubrics.files import format
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import lines_of, version_to_read, working_version


def version_for(user: Any, task: Task, number: str | None = None) -> RubricVersion:
    """Return the version to export: the requested one, or the one the person would read.

    Only the author gets the open one.

    Raises:
        NotFound: no such version, or the person may not read it.
    """
    is_author = allows(user, "rubric.refine", task)
    if number:
        version = task.rubric_versions.filter(number=parse_int(number) or 0).first()
    else:
        open_one = working_version(task) if is_author else None
        version = open_one or version_to_read(task)
    if version is None or not (version.frozen or is_author):
        raise NotFound()
    return version


def as_file(task: Task, version: RubricVersion, kind: str) -> HttpResponse:
    """Return the lines of a version as a download that does not name the author.

    Raises:
        NotFound: unknown kind of file.
    """
    if kind not in format.KINDS:
        raise NotFound()
    return HttpResponse(
        format.write(lines_of(version), kind),
        content_type=format.KINDS[kind],
        headers={
            "Content-Disposition": (
                f'attachment; filename="rubric-{task.pk}-version-{version.number}.{kind}"'
            ),
            "X-Content-Type-Options": "nosniff",
        },
    )
