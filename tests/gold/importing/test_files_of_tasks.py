"""Files and facts of tasks survive an export and an import; faulty files are named, none stored."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.base.file_contents.models import FileContent
from curation.joining.domains.models import Domain
from curation.tasks.attachments.models import Attachment
from curation.tasks.authoring.actions import save_draft
from curation.tasks.task.models import RateBand, Task
from tests import documents
from tests.gold.importing.conftest import external, line, own

pytestmark = pytest.mark.django_db
BY = ("--author", "author@example.test")
BOOK = documents.workbook(Debt=[["year", "debt"], [2025, 134.5]])


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def folder(tmp_path):
    """The folder beside the file of tasks."""
    made = tmp_path / "file-files"
    (made / "x-1").mkdir(parents=True)
    (made / "x-1" / "debt.xlsx").write_bytes(BOOK)
    (made / "x-1" / "plan.png").write_bytes(documents.picture())
    return made


def stored(media: Path) -> list[Path]:
    return [path for path in media.rglob("*") if path.is_file()]


class TestImport:
    def test_files_of_another_benchmark_come_with_its_tasks_and_are_read(self, write, run, folder):
        run("import_tasks", write(external(files=["x-1/debt.xlsx", "x-1/plan.png"])), "--external")
        rows = Task.objects.get().attachments.order_by("pk")
        assert [(row.name, row.uploaded_by) for row in rows] == [
            ("debt.xlsx", None), ("plan.png", None),
        ]  # fmt: skip
        read = FileContent.objects.get(sha256=rows[0].sha256)
        assert read.parts[0].text == "year,debt\n2025,134.5"

    def test_files_of_an_own_task_are_its_authors(self, write, run, folder, author):
        run("import_tasks", write(own(files=["x-1/debt.xlsx"])), *BY)
        assert Attachment.objects.get().uploaded_by == author

    def test_an_entry_may_name_the_file_otherwise_and_the_folder_be_elsewhere(
        self, write, run, folder, tmp_path
    ):
        elsewhere = tmp_path / "elsewhere"
        folder.rename(elsewhere)
        entry = {"file": "x-1/debt.xlsx", "name": "The debt.xlsx"}
        run("import_tasks", write(external(files=[entry])), "--external", "--files", str(elsewhere))
        assert Attachment.objects.get().name == "The debt.xlsx"

    def test_the_same_file_again_changes_nothing_and_another_one_is_a_difference(
        self, write, run, refused, folder
    ):
        path = write(external(files=["x-1/debt.xlsx"]))
        run("import_tasks", path, "--external")
        assert "1 task already there" in run("import_tasks", path, "--external")
        (folder / "x-1" / "debt.xlsx").write_bytes(documents.workbook(Debt=[["other"]]))
        (told, *_rest) = refused("import_tasks", path, "--external")
        assert told.startswith("file.jsonl:1: files: It differs from the stored task")
        assert Attachment.objects.count() == 1

    def test_a_trial_stores_nothing(self, write, run, folder, media):
        run("import_tasks", write(external(files=["x-1/debt.xlsx"])), "--external", "--dry-run")
        assert not Attachment.objects.exists()
        assert not FileContent.objects.exists()
        assert stored(media) == []

    def test_every_faulty_file_is_named_and_nothing_is_stored(
        self, write, refused, folder, tmp_path, media
    ):
        (tmp_path / "secret.txt").write_text("secret")
        (folder / "out").symlink_to(tmp_path)
        (folder / "page.html").write_text("<html></html>")
        told = refused(
            "import_tasks",
            write(
                external("x-1", files=["x-1/debt.xlsx", "../secret.txt"]),
                external("x-2", files=["/etc/passwd"]),
                external("x-3", files=["x-1\\debt.xlsx"]),
                external("x-4", files=["x-1/none.png", "out/secret.txt", "page.html", "x-1"]),
                external("x-5", files=["x-1/plan.png"] * 11),
                external("x-6", files=[7]),
                external("x-7", files="x-1/plan.png"),
            ),
            "--external",
        )
        places = [told_line.split(": ")[0:2] for told_line in told[:-1]]
        assert [" ".join(place) for place in places] == [
            "file.jsonl:1 files[2].file",
            "file.jsonl:2 files[1].file",
            "file.jsonl:3 files[1].file",
            "file.jsonl:4 files[1]",
            "file.jsonl:4 files[2]",
            "file.jsonl:4 files[3]",
            "file.jsonl:4 files[4]",
            "file.jsonl:5 files",
            "file.jsonl:6 files[1]",
            "file.jsonl:7 files",
        ]
        assert "none.png" in told[3]
        assert "leads out of the folder" in told[4]
        assert not Task.objects.exists()
        assert stored(media) == []

    def test_contents_of_an_import_that_fails_late_do_not_stay(
        self, write, run, folder, author, settings, media
    ):
        settings.ATTACHMENT_TOTAL_MB = 0
        path = write(own(files=["x-1/debt.xlsx", "x-1/plan.png"]))
        with pytest.raises(CommandError, match="in total"):
            run("import_tasks", path, *BY)
        assert not Task.objects.exists()
        assert stored(media) == []

    def test_facts_are_checked_like_in_the_editor(self, write, refused):
        told = refused(
            "import_tasks",
            write(
                external("x-1", minutes=0),
                external("x-2", minutes="60"),
                external("x-3", minutes=True),
                external("x-4", rate_band="much"),
                external("x-5", change="often"),
                external("x-6", title="two\nlines"),
            ),
            "--external",
        )
        assert [row.split(": ")[1] for row in told[:-1]] == [
            "minutes", "minutes", "minutes", "rate_band", "change", "title",
        ]  # fmt: skip

    def test_facts_that_the_file_does_not_have_are_the_authors(self, write, run, refused, author):
        run("import_tasks", write(own()), *BY)
        task = Task.objects.get()
        save_draft(actor=author, task=task, version=task.version, minutes=45, title="Mine")
        told = refused("import_tasks", write(own(labels=["new"], minutes=50)), *BY)
        assert [row.split(": ")[1] for row in told[:-1]] == ["labels", "minutes"]


class TestGold:
    def test_a_releases_tasks_come_in_with_the_files_of_its_archive(self, write, run, tmp_path):
        with zipfile.ZipFile(tmp_path / "attachments.zip", "w") as packed:
            packed.writestr("abc.xlsx", BOOK)
        entry = {"name": "debt.xlsx", "file": "abc.xlsx"}
        run("import_tasks", write(external(files=[entry])), "--external")
        assert Attachment.objects.get().name == "debt.xlsx"


# --- there and back -------------------------------------------------------------------------------
WORDS = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=30).map(
    lambda text: " ".join(text.split())
)
TEXTS = WORDS.filter(bool).map(lambda text: f"{text}\n\n- and *more*")
NAMES = st.sampled_from(["a.csv", "b.txt", "plan (1).txt", "größe.csv"])
TASKS = st.fixed_dictionaries(
    {"requirements": TEXTS},
    optional={
        "title": st.sampled_from(["A bridge", "Brücke, 桥"]),
        "category": st.sampled_from(["loans", "debt"]),
        "language": st.sampled_from(["en", "zh-hans"]),
        "minutes": st.integers(1, 10_000),
        "rate_band": st.sampled_from(RateBand.values),
        "change": st.sampled_from(["static", "dynamic"]),
        "sources": TEXTS,
        "scenario": TEXTS,
        "materials": TEXTS,
        "reference_answer": TEXTS,
        "labels": st.lists(st.sampled_from(["hard", "tax", "税"]), min_size=1, unique=True),
        "rubric": st.integers(1, 3).map(lambda n: [line(k) for k in range(1, n + 1)]),
        "files": st.dictionaries(NAMES, st.sampled_from(["a,b\n1,2", "ü"]), min_size=1, max_size=2),
    },
)


class UndoneError(Exception):
    """Ends a trip, so that the next begins with an empty database."""


@pytest.mark.django_db
class TestThereAndBack:
    @settings(
        max_examples=12,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(st.lists(TASKS, min_size=1, max_size=2))
    def test_an_export_elsewhere_gives_the_same_lines_and_files(self, tmp_path_factory, tasks):
        home = tmp_path_factory.mktemp("trip")
        lines = []
        for n, task in enumerate(tasks):
            fields = dict(task)
            files = fields.pop("files", {})
            for name, text in files.items():
                place = home / "first-files" / f"t-{n}" / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)
            listed = {"files": [f"t-{n}/{name}" for name in files]} if files else {}
            lines.append({"id": f"t-{n}", "domain": "puzzles", **fields, **listed})
        (home / "first.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
        self.trip(home, "first", "second")
        self.trip(home, "second", "third")
        second = (home / "second.jsonl").read_text()
        assert [json.loads(one) for one in second.splitlines()] == lines
        assert (home / "third.jsonl").read_text() == second
        assert contents(home / "third-files") == contents(home / "second-files")

    def trip(self, home: Path, there: str, back: str) -> None:
        """Import a file into an empty database, and export what is there."""
        try:
            with transaction.atomic():
                assert not Task.objects.exists()
                silent = {"stdout": io.StringIO()}
                call_command("import_tasks", str(home / f"{there}.jsonl"), external=True, **silent)
                call_command("export_tasks", str(home / f"{back}.jsonl"), **silent)
                raise UndoneError
        except UndoneError:
            assert not Domain.objects.filter(key="puzzles").exists()


def contents(folder: Path) -> dict[str, bytes]:
    if not folder.exists():
        return {}
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
