"""Export of tasks with their rubrics as JSON lines, in the format that `import_tasks` reads."""

import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
from django.db.models import QuerySet

from curation.tasks.attachments.content import free_name
from curation.tasks.attachments.models import Attachment
from curation.tasks.task.fields import FIELDS
from curation.tasks.task.models import AnswerForm, Origin, Task
from judge.gold.transfer.demand_line import stored_demands
from judge.gold.transfer.exact_line import stored_answers
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count

CHUNK = 500
LIST = "files.jsonl"
_COLUMN = {field.name: field.column("key") for field in FIELDS}
# What `task_line` reads. Whose case a collected task was, and the permission, stay here.
COLUMNS = (
    *("pk", "key", "domain__key", *_COLUMN.values(), "labels", "answer_form"),
    *("origin", "hourly_rate", "collection__collected_on"),
)


def task_lines(tasks: QuerySet[Task], *, files: "FileFolder | None" = None) -> Iterator[bytes]:
    """Yield each task as one line, in the order of ids.

    Memory is bounded: it holds the ids of all tasks, and 500 tasks with their rubrics at a time.

    Args:
        files: where the tasks' files are copied as the lines are written; None leaves them out.
    """
    pks = list(tasks.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(pks), CHUNK):
        # Filter by id only: with the filter of `tasks`, SQLite would sort all tasks each time.
        part = pks[start : start + CHUNK]
        rubrics = _rubrics(part)
        copied = files.copy(part) if files else {}
        exact, demands = stored_answers(part), stored_demands(part)
        for row in Task.objects.filter(pk__in=part).order_by("pk").values(*COLUMNS):
            pk = row["pk"]
            line = task_line(row, rubrics.get(pk), copied.get(pk), exact.get(pk), demands.get(pk))
            yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def task_line(
    task: Mapping[str, Any],
    rubric: Sequence[Any] | None,
    files: Sequence[Any] | None = None,
    exact: Mapping[str, Any] | None = None,
    demand: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a task in the format of `import_tasks`, without empty fields.

    Args:
        task: the values of `COLUMNS`.
        files: what the line says of its files.
        exact, demand: its exact answer and what it demands, in the form of a file.
    """
    optional = {name: task[column] for name, column in _COLUMN.items()}
    line = {
        "id": task["key"],
        "domain": task["domain__key"],
        "requirements": optional.pop("requirements"),
    }
    if task["origin"] == Origin.COLLECTED:
        rate, collected_on = task["hourly_rate"], task["collection__collected_on"]
        optional |= {"origin": task["origin"], "hourly_rate": rate, "collected_on": collected_on}
    optional = {name: _plain(value) for name, value in optional.items()}
    optional |= {"labels": task["labels"], "rubric": rubric, "files": files, "exact": exact}
    optional["demand"] = demand
    if task["answer_form"] != AnswerForm.TEXT:
        optional["answer_form"] = task["answer_form"]
    return line | {name: value for name, value in optional.items() if value}


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


class FileFolder:
    """A new folder with the files of exported tasks: one folder per task, and a list of them.

    `files.jsonl` has each file with the task's id, type, bytes and SHA-256. Nothing tells who
    added a file. The folder is made with the first file.

    Attributes:
        copied: the number of files.
        missing: the names of those that are gone from the storage or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.copied = 0
        self.missing: list[str] = []
        self._folders: set[str] = set()  # in lower case: some systems take "A" and "a" for one

    def copy(self, tasks: Sequence[int]) -> dict[int, list[str]]:
        """Copy the files of some tasks; return their names in the folder, by task."""
        found: dict[int, list[str]] = {}
        folders: dict[int, str] = {}
        rows = Attachment.objects.filter(task__in=tasks, removed_at__isnull=True)
        for row in rows.select_related("task").order_by("task_id", "id"):
            assert row.task is not None  # by the filter
            if row.task.pk not in folders:
                folders[row.task.pk] = self._folder_for(row.task.key)
            names = found.setdefault(row.task.pk, [])
            folder = folders[row.task.pk]
            # Files of before names were unique within a task may share one.
            name = free_name(row.name, {before.rpartition("/")[2] for before in names})
            if self._copy_one(row, f"{folder}/{name}"):
                names.append(f"{folder}/{name}")
        return found

    def _folder_for(self, key: str) -> str:
        # An imported key may have any characters.
        readable = re.sub(r"[^A-Za-z0-9_-]+", "-", key).strip("-")[:80] or "task"
        folder, number = readable, 2
        while folder.lower() in self._folders:
            folder, number = f"{readable}-{number}", number + 1
        self._folders.add(folder.lower())
        return folder

    def _copy_one(self, row: Attachment, name: str) -> bool:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with row.file.open("rb") as source, target.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            with target.open("rb") as copy:
                intact = hashlib.file_digest(copy, "sha256").hexdigest() == row.sha256
        except (OSError, ValueError):
            intact = False
        with (self.path / LIST).open("ab") as listed:
            if not intact:
                target.unlink(missing_ok=True)
                self.missing.append(name)
                return False
            assert row.task is not None
            facts = {
                "task": row.task.key,
                "file": name,
                "type": row.content_type,
                "bytes": row.size,
                "sha256": row.sha256,
            }
            listed.write(orjson.dumps(facts, option=orjson.OPT_APPEND_NEWLINE))
        self.copied += 1
        return True


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
