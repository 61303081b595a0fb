"""Which version of a rubric somebody may take along, and as what."""

from typing import Any

from django.http import HttpResponse

from curation.access.permissions import allows
from curation.tasks.models import Task
from curation.web.forms import whole
from curation.web.refusals import NotFound
from rubrics.files import format
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import lines_of, version_to_read, working_version


def version_for(user: Any, task: Task, number: str | None = None) -> RubricVersion:
    """The version somebody takes along: the wanted one, or the one they would read.

    Nobody but the author gets the open one.

    Raises:
        NotFound: there is none, or it is not theirs to read.
    """
    is_author = allows(user, "rubric.refine", task)
    if number:
        version = task.rubric_versions.filter(number=whole(number) or 0).first()
    else:
        open_one = working_version(task) if is_author else None
        version = open_one or version_to_read(task)
    if version is None or not (version.frozen or is_author):
        raise NotFound()
    return version


def as_file(task: Task, version: RubricVersion, kind: str) -> HttpResponse:
    """The lines of a version as a download. Neither name nor content tells who wrote them."""
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
