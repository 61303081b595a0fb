"""Which version of a rubric somebody may take along, and as what."""

from typing import Any

from django.http import HttpResponse

from curation.access import allows
from curation.errors import NotFound
from curation.models import Task
from rubrics import files, queries
from rubrics.forms import whole
from rubrics.models import RubricVersion


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
        open_one = queries.working_version(task) if is_author else None
        version = open_one or queries.version_to_read(task)
    if version is None or not (version.frozen or is_author):
        raise NotFound()
    return version


def as_file(task: Task, version: RubricVersion, kind: str) -> HttpResponse:
    """The lines of a version as a download. Neither name nor content tells who wrote them."""
    if kind not in files.KINDS:
        raise NotFound()
    return HttpResponse(
        files.write(queries.lines_of(version), kind),
        content_type=files.KINDS[kind],
        headers={
            "Content-Disposition": (
                f'attachment; filename="rubric-{task.pk}-version-{version.number}.{kind}"'
            ),
            "X-Content-Type-Options": "nosniff",
        },
    )
