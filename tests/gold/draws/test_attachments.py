"""The files of tasks in a gold release: each content once, by its hash, counted and checked."""

import csv
import hashlib
import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError

from curation.tasks.attachments.models import Attachment
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldRelease
from tests.gold.draws.test_export import contents, export, rows

pytestmark = pytest.mark.django_db
TABLE = b"year,debt\n2025,134.4\n"


def attach(task: Task, name: str, data: bytes, **fields: Any) -> Attachment:
    row = Attachment(
        task=task, uploaded_by=task.author, name=name, content_type="text/csv", size=len(data),
        sha256=hashlib.sha256(data).hexdigest(), **fields,
    )  # fmt: skip
    row.file.save(name, ContentFile(data), save=False)
    row.save()
    return row


@pytest.fixture
def attached(programme: Any, finance: Any) -> list[Task]:
    tasks = [programme.task(f"finance-{n}", finance) for n in range(3)]
    attach(tasks[0], "debt.csv", TABLE)
    attach(tasks[0], "rates.csv", b"rate\n4.5\n")
    attach(tasks[1], "the same table.csv", TABLE)
    return tasks


def test_a_release_holds_the_files_of_its_tasks_by_their_hash(
    attached: list[Task], tmp_path: Any, sign_in: Any, staff: Any
) -> None:
    attach(attached[2], "taken away.csv", b"x\n", removed_at=attached[2].created_at)
    said = ("--formats", "jsonl,csv,parquet")
    export(tmp_path / "out", *said, size=3)
    listed = rows(tmp_path / "out" / "attachments.jsonl")
    assert sorted((row["task"], row["name"], row["bytes"]) for row in listed) == [
        ("finance-0", "debt.csv", len(TABLE)),
        ("finance-0", "rates.csv", 9),
        ("finance-1", "the same table.csv", len(TABLE)),
    ]
    assert {"stored", "uploaded_by"}.isdisjoint(listed[0])
    with zipfile.ZipFile(tmp_path / "out" / "attachments.zip") as packed:
        assert set(packed.namelist()) == {row["file"] for row in listed}
        assert len(packed.namelist()) == 2  # one content, two tasks
        for row in listed:
            assert hashlib.sha256(packed.read(row["file"])).hexdigest() == row["sha256"]
    flat = list(csv.DictReader(io.StringIO((tmp_path / "out" / "attachments.csv").read_text())))
    assert [row["sha256"] for row in flat] == [row["sha256"] for row in listed]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    counts = manifest["counts"]
    assert (counts["attachments"], counts["attachment_bytes"]) == (3, 2 * len(TABLE) + 9)
    archive = next(file for file in manifest["files"] if file["name"] == "attachments.zip")
    data = (tmp_path / "out" / "attachments.zip").read_bytes()
    assert (archive["rows"], archive["sha256"]) == (2, hashlib.sha256(data).hexdigest())
    assert "3 files that belong to the tasks" in (tmp_path / "out" / "DATASHEET.md").read_text()
    export(tmp_path / "again", *said, size=3)
    assert contents(tmp_path / "again") == contents(tmp_path / "out")
    browser = sign_in(staff)
    page = browser.get("/staff/gold/releases/1/").content.decode()
    assert "3 files of the tasks" in page
    link = next(part for part in page.split('"') if part.endswith("/attachments-zip/"))
    assert b"".join(browser.get(link).streaming_content) == data


def test_a_file_that_is_gone_or_damaged_stops_the_release_and_names_it(
    attached: list[Task], tmp_path: Any, files: Any
) -> None:
    row = Attachment.objects.get(name="rates.csv")
    (files / row.file.name).write_bytes(b"rate\n9.9\n")
    with pytest.raises(CommandError, match="“rates.csv” of the task finance-0"):
        export(tmp_path / "out", size=3)
    row.file.storage.delete(row.file.name)
    with pytest.raises(CommandError, match="“rates.csv” of the task finance-0"):
        export(tmp_path / "out", size=3)
    assert not (tmp_path / "out").exists()
    assert not GoldRelease.objects.exists()
    assert not list((files / "gold").iterdir())


def test_a_release_without_files_has_no_archive(
    programme: Any, finance: Any, tmp_path: Any
) -> None:
    programme.task("finance-0", finance)
    export(tmp_path / "out", size=1)
    assert not list((tmp_path / "out").glob("attachments*"))
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"]["attachments"] == 0
