"""Counts rooms, files and lines of the product, and the folders that a page runs through.

    python -m benchmarks.house [--without-pages]

Pages are opened once, warm, in a sample programme of their own in a temporary folder, by the author
of a task and by staff; a folder counts if one of its functions was called.
"""

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
APPS = ("config", "curation", "rubrics", "review", "judge")
NOT_ROOMS = ("migrations", "management")


def files(ending: str, folders: Iterable[str]) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob(f"*{ending}"))]


def lines(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def sizes() -> dict[str, int]:
    """Return figures of the files."""
    python = files(".py", APPS)
    migrations = [path for path in python if "migrations" in path.parts]
    product = [path for path in python if "migrations" not in path.parts]
    rooms = {
        path.parent for path in product if not set(NOT_ROOMS) & set(path.relative_to(ROOT).parts)
    }
    return {
        "packages (folders with modules)": len(rooms - {ROOT / app for app in APPS}),
        "product files": len(product),
        "product lines without migrations": lines(product),
        "lines of migrations": lines(migrations),
        "lines of templates": lines(files(".html", ["templates"])),
        "files above 400 lines": sum(lines([path]) > 400 for path in product),
        "lines of tests": lines(files(".py", ["tests"])),
        "words of docs": sum(
            len(path.read_text(encoding="utf-8").split())
            for path in files(".md", ["docs"])
            if path.parent.name != "reference"  # written from the code
        ),
    }


def folders_of(client: Any, address: str) -> int:
    """Return how many folders of the product answer a request. The page is opened once before."""
    assert client.get(address).status_code == 200, address
    seen: set[str] = set()

    def note(frame: Any, event: str, _arg: Any) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        client.get(address)
    finally:
        sys.setprofile(None)
    ours = [Path(name) for name in seen if name.startswith(str(ROOT))]
    rooms = {path.parent for path in ours if path.relative_to(ROOT).parts[0] in APPS}
    return len(rooms)


def pages() -> dict[str, int]:
    """Return the folders of a rubric page and of a verdict page."""
    with tempfile.TemporaryDirectory() as var:
        os.environ.update(VAR_DIR=var, DEBUG="1", DJANGO_SETTINGS_MODULE="config.settings")
        os.environ.pop("DATABASE_URL", None)
        for command in ("migrate", "sample_programme"):
            subprocess.run(
                [sys.executable, "manage.py", command], cwd=ROOT, check=True, capture_output=True
            )
        import django

        with contextlib.redirect_stdout(io.StringIO()):
            django.setup()
        from django.test import Client

        from curation.base.process.lifecycle import Stage
        from curation.joining.people import User
        from curation.tasks.task.models import Task
        from judge.runs.engine.models import Judgment

        task = Task.objects.filter(stage=Stage.REFINING, author__isnull=False).first()
        judgment = Judgment.objects.filter(run__isnull=False).last()
        author, staff = Client(), Client()
        assert task is not None
        assert judgment is not None
        author.force_login(task.author)
        staff.force_login(User.objects.get(email="staff@example.test"))
        verdicts = f"/staff/verdicts/{judgment.response_id}/?judge={judgment.run_id}"
        return {
            "folders of a rubric page": folders_of(author, f"/tasks/{task.pk}/rubric/"),
            "folders of a verdict page": folders_of(staff, verdicts),
        }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house")
    parser.add_argument("--without-pages", action="store_true")
    found = sizes() | ({} if parser.parse_args().without_pages else pages())
    for name, figure in found.items():
        print(f"{name:36} {figure:8,}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
