"""A database of the last version with the old migrations comes over with all it holds."""

import lzma
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

# Written by the commit that docs/operators.md names: two domains with approved tasks, rubrics,
# reviews, spot checks and anchors.
DUMP = Path(__file__).with_name("last_old_version.sql.xz")
LAST = "0071_runs_that_are_over_have_an_end"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """The folder of an installation whose database the older version left."""
    with sqlite3.connect(tmp_path / "assay.sqlite3") as database:
        database.executescript(lzma.decompress(DUMP.read_bytes()).decode())
    return tmp_path


def manage(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env={"DEBUG": "1", "VAR_DIR": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def rows(folder: Path) -> dict[str, int]:
    """How many rows each table holds, but those in which Django records its own steps."""
    with sqlite3.connect(folder / "assay.sqlite3") as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in names
            if name != "django_migrations" and not name.startswith("sqlite_")
        }


def test_it_is_up_to_date_and_keeps_every_row(older: Path) -> None:
    before = rows(older)
    assert len([name for name, count in before.items() if count]) > 20
    migrated = manage(older, "migrate")
    assert (migrated.returncode, migrated.stderr) == (0, "")
    assert rows(older) == before
    assert manage(older, "migrate", "--check").returncode == 0
    exported = older / "tasks.jsonl"
    done = manage(older, "export_tasks", str(exported))
    assert done.returncode == 0, done.stderr
    assert len(exported.read_text("utf-8").splitlines()) == before["curation_task"]


def test_one_that_is_older_still_is_refused_with_the_way(older: Path) -> None:
    with sqlite3.connect(older / "assay.sqlite3") as database:
        database.execute("DELETE FROM django_migrations WHERE name = ?", [LAST])
    before = rows(older)
    refused = manage(older, "migrate")
    assert refused.returncode != 0
    assert f"it has yet to apply judge.{LAST}." in refused.stderr
    assert "Update to the last version that has these migrations first" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert rows(older) == before
