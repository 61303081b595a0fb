"""Another benchmark's tasks come in as they are, stay out of the process, and keep their words."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from curation.joining.domains.models import Domain
from curation.tasks.task.models import Task, TaskEvent
from rubrics.versions.models import Criterion, RubricVersion
from tests.gold.importing.conftest import external, line

pytestmark = pytest.mark.django_db
FLAG = "--external"


def test_a_task_without_a_rubric_is_added_and_stands_approved_with_its_history(write, run):
    said = run("import_tasks", write(external(labels=["a", "b"], language="zh-hans")), FLAG)
    assert said == "1 task added."
    task = Task.objects.get(key="x-1")
    assert (task.stage, task.origin, task.author) == ("approved", "external", None)
    assert (task.labels, task.language) == (["a", "b"], "zh-hans")
    event = TaskEvent.objects.get(task=task)
    assert event.data == {"event": "imported", "file": "file.jsonl"}
    assert not RubricVersion.objects.exists()


def test_any_number_of_lines_and_any_positive_weight_is_fine_for_another_benchmark(write, run):
    rubric = [line(n, weight=n * 1000) for n in range(1, 61)]
    run("import_tasks", write(external(rubric=rubric), external("x-2", rubric=rubric[:1])), FLAG)
    version = RubricVersion.objects.get(task__key="x-1")
    assert version.criteria.count() == 60
    assert version.criteria.get(key="c60").weight == 60_000
    assert version.origin == "import"
    assert version.frozen


def test_the_hash_of_an_imported_rubric_is_the_hash_of_its_stored_lines(write, run):
    rubric = [line(1, text="  Zählt „drei“ Gründe auf.\r\nMit Belegen. "), line(2, weight=77)]
    run("import_tasks", write(external(rubric=rubric)), FLAG)
    version = RubricVersion.objects.get()
    assert version.sha256 == version.content_sha256()
    assert Criterion.objects.get(key="c1").text == "Zählt „drei“ Gründe auf.\nMit Belegen."


def test_an_unknown_domain_and_category_are_created_as_the_other_benchmarks(write, run, finance):
    run(
        "import_tasks",
        write(
            external("x-1", domain="computer_science", category="web agents"),
            external("x-2", domain="computer_science"),
            external("x-3", domain="finance"),
        ),
        FLAG,
    )
    made = Domain.objects.get(key="computer_science")
    assert (made.external, made.name) == (True, "Computer science")
    assert Task.objects.get(key="x-1").category.key == "web-agents"
    assert Task.objects.get(key="x-3").domain == finance
    assert not Domain.objects.get(key="finance").external


def test_the_same_file_twice_changes_nothing(write, run):
    path = write(*(external(f"x-{n}", rubric=[line()]) for n in range(100)))
    assert run("import_tasks", path, FLAG) == "100 tasks added."
    before = list(Task.objects.values())
    assert run("import_tasks", path, FLAG) == "100 tasks already there, unchanged."
    assert list(Task.objects.values()) == before
    assert RubricVersion.objects.count() == 100


def test_new_tasks_beside_known_ones_are_added(write, run):
    run("import_tasks", write(external("x-1")), FLAG)
    said = run("import_tasks", write(external("x-1"), external("x-2")), FLAG)
    assert said == "1 task added. 1 task already there, unchanged."


def test_a_changed_task_is_refused_with_its_differences_and_nothing_is_stored(write, run, refused):
    run("import_tasks", write(external("x-1", rubric=[line(1), line(2), line(3)])), FLAG)
    told = refused(
        "import_tasks",
        write(
            external("x-0"),
            external(
                "x-1",
                requirements="Solve x-1 in one hour.",
                language="en",
                rubric=[line(1, weight=6), line(2), line(4)],
            ),
        ),
        FLAG,
    )
    assert told == [
        'file.jsonl:2: language: It differs from the stored task: "" there, "en" here.',
        "file.jsonl:2: requirements: It differs from the stored task: "
        '"Solve x-1." there, "Solve x-1 in one hour." here.',
        "file.jsonl:2: rubric: It differs from the stored one (changed: c1; new: c4; gone: c3). "
        "Use --new-version to add it as a new version.",
        "3 faults; nothing was stored.",
    ]
    assert not Task.objects.filter(key="x-0").exists()


def test_a_long_text_shows_only_the_place_where_it_differs(write, run, refused):
    words = "word " * 200
    run("import_tasks", write(external(materials=words + "end")), FLAG)
    told = refused("import_tasks", write(external(materials=words + "stop")), FLAG)
    assert told[0] == (
        "file.jsonl:1: materials: It differs from the stored task: "
        '…"d word word end" there, …"d word word stop" here.'
    )


def test_a_new_version_is_made_when_only_the_rubric_changed_and_it_is_asked_for(write, run):
    run("import_tasks", write(external(rubric=[line(1)]), external("x-2")), FLAG)
    path = write(external(rubric=[line(1, weight=9), line(2)]), external("x-2"))
    said = run("import_tasks", path, FLAG, "--new-version")
    assert said == ("1 task already there, unchanged. 1 task got a new version of its rubric.")
    versions = RubricVersion.objects.filter(task__key="x-1").order_by("number")
    assert [v.criteria.count() for v in versions] == [1, 2]
    assert all(v.frozen for v in versions)
    assert run("import_tasks", path, FLAG) == "2 tasks already there, unchanged."


def test_a_new_version_is_refused_when_the_text_changed_as_well(write, run, refused):
    run("import_tasks", write(external(rubric=[line(1)])), FLAG)
    path = write(external(requirements="Other.", rubric=[line(1, weight=9)]))
    told = refused("import_tasks", path, FLAG, "--new-version")
    assert [t.split(":")[2].strip() for t in told[:-1]] == ["requirements"]
    assert RubricVersion.objects.count() == 1


def test_a_dry_run_counts_everything_and_stores_nothing(write, run):
    said = run("import_tasks", write(external(rubric=[line()])), FLAG, "--dry-run")
    assert said == "1 task added.\nNothing was stored: this was a dry run."
    assert not Task.objects.exists()
    assert not Domain.objects.exists()


def test_a_byte_order_mark_windows_line_ends_and_empty_lines_do_no_harm(tmp_path: Path, run):
    path = tmp_path / "windows.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf"
        + b'{"id": "x-1", "domain": "d", "requirements": "a\\r\\nb"}\r\n\r\n   \r\n'
        + '{"id": "x-2", "domain": "d", "requirements": "行\u2028行"}'.encode()
    )
    assert run("import_tasks", str(path), FLAG) == "2 tasks added."
    assert Task.objects.get(key="x-1").requirements == "a\nb"
    assert Task.objects.get(key="x-2").requirements == "行\u2028行"


def test_emoji_joiners_and_right_to_left_marks_are_kept(write, run):
    words = "שלום \u202eabc\u202c 👩‍👩‍👧 \u200b end"
    run("import_tasks", write(external(requirements=words)), FLAG)
    assert Task.objects.get().requirements == words


def test_a_text_of_a_million_characters_is_kept_whole(write, run):
    run("import_tasks", write(external(materials="x" * 1_000_000)), FLAG)
    assert len(Task.objects.get().materials) == 1_000_000


def test_a_name_that_grows_when_it_is_spelt_out_is_refused(write, refused):
    told = refused("import_tasks", write(external("a-1", domain="\ufdfa" * 8)), "--external")
    assert told[0].startswith("file.jsonl:1: domain: Spelt out, this name has")


def test_an_id_of_a_task_written_here_cannot_be_taken(write, run, refused, author, finance):
    Task.objects.create(key="x-1", domain=finance, author=author)
    told = refused("import_tasks", write(external()), FLAG)
    assert told[0].startswith("file.jsonl:1: id: A task of another kind already has this id.")


def test_a_null_is_no_field(write, run):
    run("import_tasks", write(external(category=None, rubric=None, labels=None)), FLAG)
    assert Task.objects.get().category is None


def test_an_author_does_not_go_with_another_benchmarks_tasks(write, run):
    with pytest.raises(CommandError, match="such tasks have no author"):
        run("import_tasks", write(external()), FLAG, "--author", "author@example.test")
