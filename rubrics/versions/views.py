"""View of the versions of a rubric and the differences between two of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.web.forms import parse_int
from curation.tasks.task.access import access_task
from rubrics.versions.comparison import compare
from rubrics.versions.queries import versions_of
from rubrics.versions.task_text import task_text


def versions(request: HttpRequest, pk: int) -> HttpResponse:
    """Show all versions, and what differs between two of them in lines, words and weights."""
    task = access_task(request.user, pk, "rubric.view")
    is_author = allows(request.user, "rubric.refine", task)
    every = versions_of(task)
    if not is_author:
        every = [
            version for version in every if version.frozen
        ]  # only the author sees the open one
    numbers = {version.number: version for version in every}
    newer = numbers.get(parse_int(request.GET.get("b")) or 0) or (every[0] if every else None)
    older = numbers.get(parse_int(request.GET.get("a")) or 0) or next(
        (v for v in every if newer and v.number < newer.number), None
    )
    found = compare(older, newer) if older is not None and newer is not None else None
    everything = request.GET.get("show") == "all"
    return render(
        request,
        "rubrics/versions.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "is_author": is_author,
            "versions": every,
            "older": older,
            "newer": newer,
            "found": found,
            "everything": everything,
            "rows": [] if found is None else found.rows if everything else found.differing,
        },
    )
