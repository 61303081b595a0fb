"""Export of tasks with their rubrics as JSON lines, in the format that `import_tasks` reads."""

import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from django.db.models import QuerySet

from curation.attachments.models import Attachment
from curation.tasks.fields import PORTABLE, Kind
from curation.tasks.models import Task
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count

CHUNK = 500
_COLUMN = {f.name: f"{f.name}__key" if f.kind is Kind.CATEGORY else f.name for f in PORTABLE}
COLUMNS = ("pk", "key", "domain__key", *_COLUMN.values(), "labels")  # what `task_line` reads


def task_lines(tasks: QuerySet[Task]) -> Iterator[bytes]:
    """Yield each task as one line, in the order of ids.

    Memory is bounded: it holds the ids of all tasks, and 500 tasks with their rubrics at a time.
    """
    pks = list(tasks.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(pks), CHUNK):
        # Filter by id only: with the filter of `tasks`, SQLite would sort all tasks each time.
        part = pks[start : start + CHUNK]
        rubrics = _rubrics(part)
        for row in Task.objects.filter(pk__in=part).order_by("pk").values(*COLUMNS):
            line = task_line(row, rubrics.get(row["pk"]))
            yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def task_line(task: Mapping[str, Any], rubric: Sequence[Any] | None) -> dict[str, Any]:
    """Return a task in the format of `import_tasks`, without empty fields.

    Args:
        task: the values of `COLUMNS`.
    """
    optional = {name: task[column] for name, column in _COLUMN.items()}
    line = {
        "id": task["key"],
        "domain": task["domain__key"],
        "requirements": optional.pop("requirements"),
    }
    optional |= {"labels": task["labels"], "rubric": rubric}
    return line | {name: value for name, value in optional.items() if value}


def copy_files(tasks: QuerySet[Task], folder: Path) -> tuple[int, list[str]]:
    """Copy the tasks' files into a new folder, one folder per task, with a list of them.

    `files.jsonl` has each file with the task's id, type, bytes and SHA-256. Nothing tells who
    added a file.

    Returns:
        The number of copied files, and the names of those missing or damaged in the storage.
    """
    folder.mkdir()
    copied, missing = 0, []
    rows = Attachment.objects.filter(task__in=tasks, removed_at__isnull=True)
    with (folder / "files.jsonl").open("wb") as listed:
        for row in rows.select_related("task").order_by("task_id", "id").iterator():
            task = row.task
            assert task is not None  # by the filter
            # An imported key may have any characters, and two files may have the same name.
            readable_key = re.sub(r"[^A-Za-z0-9_-]+", "-", task.key).strip("-")[:80]
            name = f"{task.pk}-{readable_key}/{row.pk}-{row.name}"
            target = folder / name
            target.parent.mkdir(exist_ok=True)
            try:
                with row.file.open("rb") as source, target.open("wb") as copy:
                    shutil.copyfileobj(source, copy)
                with target.open("rb") as copy:
                    intact = hashlib.file_digest(copy, "sha256").hexdigest() == row.sha256
            except (OSError, ValueError):
                intact = False
            if not intact:
                target.unlink(missing_ok=True)
                missing.append(name)
                continue
            copied += 1
            facts = {
                "task": task.key,
                "file": name,
                "type": row.content_type,
                "bytes": row.size,
                "sha256": row.sha256,
            }
            listed.write(orjson.dumps(facts, option=orjson.OPT_APPEND_NEWLINE))
    return copied, missing


def _rubrics(tasks: list[int]) -> dict[int, list[dict[str, Any]]]:
    versions = {version: task for task, version in version_ids_that_count(tasks).items()}
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
