"""Tasks with their rubrics as JSON lines: what `import_tasks` reads, written back."""

from collections.abc import Iterator
from typing import Any

import orjson
from django.db.models import QuerySet

from curation.models import Task
from rubrics.models import Criterion
from rubrics.queries import versions_that_count

CHUNK = 500
_COLUMNS = (
    "pk", "key", "domain__key", "category__key", "language", "scenario", "materials",
    "requirements", "reference_answer", "labels",
)  # fmt: skip


def task_lines(tasks: QuerySet[Task]) -> Iterator[bytes]:
    """Each task as one line of CONTRACT's tasks format, in order of id.

    Memory stays flat: 500 tasks are in hand at a time, with two queries for their rubrics.
    """
    last = 0
    while rows := list(
        tasks.filter(pk__gt=last).order_by("pk").values_list(*_COLUMNS, named=True)[:CHUNK]
    ):
        last = rows[-1].pk
        lines = _rubrics([row.pk for row in rows])
        for row in rows:
            yield orjson.dumps(_task(row, lines.get(row.pk)), option=orjson.OPT_APPEND_NEWLINE)


def _task(row: Any, rubric: list[dict[str, Any]] | None) -> dict[str, Any]:
    optional = {
        "category": row.category__key,
        "language": row.language,
        "scenario": row.scenario,
        "materials": row.materials,
        "reference_answer": row.reference_answer,
        "labels": row.labels,
        "rubric": rubric,
    }
    return {
        "id": row.key,
        "domain": row.domain__key,
        "requirements": row.requirements,
    } | {name: value for name, value in optional.items() if value}


def _rubrics(tasks: list[int]) -> dict[int, list[dict[str, Any]]]:
    versions = {version.pk: task for task, version in versions_that_count(tasks).items()}
    found: dict[int, list[dict[str, Any]]] = {}
    for version, key, text, importance, weight, dimension in (
        Criterion.objects.filter(version__in=versions)
        .order_by("version_id", "position", "id")
        .values_list("version_id", "key", "text", "importance", "weight", "dimension")
    ):
        found.setdefault(versions[version], []).append(
            {
                "id": key,
                "text": text,
                "importance": importance,
                "weight": weight,
                "dimension": dimension,
            }
        )
    return found
