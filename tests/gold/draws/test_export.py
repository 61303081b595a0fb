"""A gold release from the command line: what is in it, what is not, and that it is exact."""

import csv
import hashlib
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldItem, GoldRelease
from judge.gold.releases.checking import content_sha256
from judge.gold.transfer.tasks import Tasks
from rubrics.versions.models import RubricVersion


def export(out, *options, size=5, seed=7):
    text = StringIO()
    call_command(
        "export_gold", "--size", str(size), "--seed", str(seed), "--out", str(out), *options,
        stdout=text,
    )  # fmt: skip
    return text.getvalue()


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_release_holds_the_tasks_their_rubrics_and_their_anchors(pool_of_seven, tmp_path):
    said = export(tmp_path / "out", size=5)
    tasks = rows(tmp_path / "out" / "tasks.jsonl")
    anchors = rows(tmp_path / "out" / "anchors.jsonl")
    assert len(tasks) == len(anchors) == 5
    assert all(len(task["rubric"]) == 15 for task in tasks)
    assert {task["id"] for task in tasks} == {anchor["task"] for anchor in anchors}
    assert "Release 1: 5 tasks, 75 lines, 5 anchors." in said


@pytest.fixture
def pool_of_seven(programme, finance, law):
    for n in range(5):
        programme.task(f"finance-{n}", finance)
    for n in range(2):
        programme.task(f"law-{n}", law)
    return programme


def test_every_file_has_the_size_and_the_hash_the_manifest_says(pool_of_seven, tmp_path):
    out = tmp_path / "out"
    export(out, "--formats", "jsonl,csv,parquet")
    manifest = json.loads((out / "manifest.json").read_text())
    named = {file["name"] for file in manifest["files"]}
    assert named | {"manifest.json"} == {path.name for path in out.iterdir()}
    for file in manifest["files"]:
        data = (out / file["name"]).read_bytes()
        assert (file["bytes"], file["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    release = GoldRelease.objects.get()
    assert manifest["release"]["sha256"] == release.sha256 == content_sha256(manifest)
    versions = dict(RubricVersion.objects.values_list("task__key", "sha256"))
    assert manifest["rubrics"] == {
        task["id"]: versions[task["id"]] for task in rows(out / "tasks.jsonl")
    }
    assert manifest["draw"]["seed"] == 7
    assert [row["drawn"] for row in manifest["strata"]] == [4, 1]


def test_the_same_tasks_seed_and_size_give_the_same_bytes_and_the_same_release(
    pool_of_seven, tmp_path
):
    options = ("--formats", "jsonl,csv,parquet")
    export(tmp_path / "one", *options)
    export(tmp_path / "two", *options)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert GoldRelease.objects.count() == 1
    export(tmp_path / "three", *options, seed=8)
    assert GoldRelease.objects.count() == 2
    release = GoldRelease.objects.get(number=1)
    assert GoldItem.objects.filter(release=release).count() == 5


def test_a_release_can_be_imported_elsewhere_as_it_is(pool_of_seven, tmp_path):
    out = tmp_path / "out"
    export(out)
    mapped = tmp_path / "renamed.jsonl"
    mapped.write_text(
        (out / "tasks.jsonl").read_text().replace('"id":"finance-', '"id":"copy-finance-')
        .replace('"id":"law-', '"id":"copy-law-')
    )  # fmt: skip
    assert Tasks(external=True).run(mapped).added == 5


def test_a_shortfall_names_the_strata_and_writes_nothing(pool, tmp_path, files):
    out = tmp_path / "out"
    # 6 of 9 approved tasks: 4 of finance, 2 of law, where only one is anchored.
    with pytest.raises(CommandError, match="law: wanted 2, available 1"):
        export(out, size=6)
    with pytest.raises(CommandError, match="All strata together have too few"):
        export(out, size=9)
    assert not out.exists()
    assert GoldRelease.objects.count() == 0
    assert not any((files / "gold").glob("*")) if (files / "gold").exists() else True


def test_redistribution_is_done_only_where_asked_for(pool, tmp_path):
    export(tmp_path / "out", "--redistribute", size=6)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [row["drawn"] for row in manifest["strata"]] == [5, 1]
    assert manifest["draw"]["redistribute"] is True


def test_unanchored_tasks_enter_only_where_allowed(pool, tmp_path):
    export(tmp_path / "out", "--allow-unanchored", size=9)
    provenance = rows(tmp_path / "out" / "provenance.jsonl")
    assert sum(row["anchor"] == "none" for row in provenance) == 2
    assert len(rows(tmp_path / "out" / "anchors.jsonl")) == 7
    assert sum(row["spot_checked"] for row in provenance) == 2


def test_equal_shares_give_each_domain_the_same(pool, tmp_path):
    export(tmp_path / "out", "--allocation", "equal", "--allow-unanchored", size=6)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [row["drawn"] for row in manifest["strata"]] == [3, 3]


def test_tasks_of_other_benchmarks_never_enter(programme, finance, tmp_path):
    programme.task("own-1", finance)
    programme.task("foreign-1", finance, external=True)
    with pytest.raises(CommandError, match="finance: wanted 2, available 1"):
        export(tmp_path / "out", size=2)
    export(tmp_path / "out", size=1)
    assert [task["id"] for task in rows(tmp_path / "out" / "tasks.jsonl")] == ["own-1"]


def test_an_anchor_of_an_older_rubric_does_not_count(programme, finance, tmp_path):
    from rubrics.versions.actions import import_version

    task = programme.task("own-1", finance)
    lines = [
        {
            "key": f"c{n}", "text": f"Another line {n}.", "importance": "essential", "weight": 3,
            "dimension": "depth",
        }
        for n in range(15)
    ]  # fmt: skip
    import_version(task=task, lines=lines)
    with pytest.raises(CommandError, match="finance: wanted 1, available 0"):
        export(tmp_path / "out", size=1)


def test_no_person_can_be_found_in_any_file(pool_of_seven, author, peer, senior, tmp_path):
    author.affiliation = "Very Particular Bank"
    author.save(update_fields=["affiliation"])
    export(tmp_path / "out", "--formats", "jsonl,csv", "--with-responses")
    everything = b"".join(contents(tmp_path / "out").values()).decode()
    for secret in (author.email, peer.email, senior.email, author.affiliation, "@example.test"):
        assert secret not in everything
    assert f"expert-{peer.pk}" not in everything
    assert author.pseudonym not in everything
    assert {r["author"] for r in rows(tmp_path / "out" / "provenance.jsonl")} == {"author-1"}


def test_a_members_address_inside_a_task_stops_the_release(
    programme, author, finance, tmp_path, files
):
    programme.task("own-1", finance, materials=f"Questions go to {author.email.upper()}.")
    with pytest.raises(CommandError, match="somebody in the programme: own-1"):
        export(tmp_path / "out", size=1)
    assert not (tmp_path / "out").exists()
    assert list((files / "gold").iterdir()) == []


def test_a_members_address_inside_an_exact_answer_stops_the_release(
    programme, author, finance, tmp_path, files
):
    task = programme.task("own-1", finance)
    exact = ExactAnswer.objects.create(task=task, answer="14", why_unique=f"Ask {author.email}.")
    Task.objects.filter(pk=task.pk).update(answer_form="exact")
    with pytest.raises(CommandError, match="somebody in the programme: own-1"):
        export(tmp_path / "out", size=1)
    ExactAnswer.objects.filter(pk=exact.pk).update(why_unique="The register has one entry.")
    export(tmp_path / "out", size=1)


def test_a_members_name_inside_a_task_is_put_on_record(programme, author, finance, tmp_path):
    author.display_name = "Greta Lindqvist"
    author.save(update_fields=["display_name"])
    programme.task("own-1", finance, materials="Ask Greta Lindqvist about the lease.")
    export(tmp_path / "out", size=1)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["privacy"]["tasks_with_a_members_name"] == ["own-1"]


def test_cells_that_a_spreadsheet_would_run_are_made_harmless(programme, finance, tmp_path):
    programme.task(
        "own-1", finance, scenario='=HYPERLINK("http://evil.test")', materials="@SUM(A1)",
        requirements="-2+3", reference_answer="+1",
    )  # fmt: skip
    export(tmp_path / "out", "--formats", "csv", size=1)
    with (tmp_path / "out" / "tasks.csv").open(newline="", encoding="utf-8") as file:
        (task,) = csv.DictReader(file)
    for name in ("scenario", "materials", "requirements", "reference_answer"):
        assert task[name].startswith("'")
    with (tmp_path / "out" / "criteria.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 15


def test_responses_come_only_where_they_are_asked_for(pool_of_seven, tmp_path):
    from curation.tasks.task.models import Task

    task = Task.objects.get(key="finance-0")
    pool_of_seven.sheet(
        pool_of_seven.response(task, "Cedar 3"), task.rubric_versions.get(), purpose="alignment"
    )
    export(tmp_path / "plain", size=7)
    assert not (tmp_path / "plain" / "responses.jsonl").exists()
    export(tmp_path / "full", "--with-responses", size=7)
    responses = rows(tmp_path / "full" / "responses.jsonl")
    raters = {row["rater"] for row in rows(tmp_path / "full" / "scores.jsonl")}
    assert len(responses) == 8
    assert sum(row.get("baseline", False) for row in responses) == 7
    assert raters == {"anchor", "scorer-1"}


def test_a_folder_with_something_in_it_is_refused(pool_of_seven, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("keep me")
    with pytest.raises(CommandError, match="not empty"):
        export(out)
    assert contents(out) == {"mine.txt": b"keep me"}
    assert GoldRelease.objects.count() == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"size": 0}, "at least 1 task"),
        ({"size": 5, "seed": -1}, "at least 0"),
        ({"size": 5, "more": ("--formats", "xlsx")}, "formats are jsonl, csv and parquet"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(pool_of_seven, tmp_path, options, words):
    more = options.pop("more", ())
    with pytest.raises(CommandError, match=words):
        export(tmp_path / "out", *more, **options)
    assert not (tmp_path / "out").exists()


def test_lost_files_come_back_when_the_release_is_asked_for_again(pool_of_seven, tmp_path, files):
    export(tmp_path / "one")
    (files / "gold" / "1" / "tasks.jsonl").unlink()
    export(tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_data_card_is_written_from_the_facts(pool_of_seven, tmp_path):
    export(tmp_path / "out")
    card = (tmp_path / "out" / "DATASHEET.md").read_text()
    assert "- 5 tasks from 2 domains and 2 categories, drawn from 7 approved ones." in card
    assert "| Finance | 5 | 5 | 4 | 4 | 0 |" in card
    assert "seed 7" in card


def test_a_folder_that_cannot_be_written_is_said_and_the_release_can_be_written_elsewhere(
    pool_of_seven, tmp_path, monkeypatch
):
    def full(*_paths, **_options):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("judge.gold.releases.release.shutil.copytree", full)
        with pytest.raises(CommandError, match="cannot be written: No space left on device"):
            export(tmp_path / "full")
    assert not (tmp_path / "full").exists()
    export(tmp_path / "elsewhere")
    assert GoldRelease.objects.count() == 1


def test_a_release_from_the_pool_has_the_same_bytes_everywhere(pool, tmp_path):
    export(tmp_path / "out", "--formats", "jsonl,csv", "--redistribute", size=6)
    assert GoldRelease.objects.get().sha256 == (
        "babcbe7bb727457eb11fd9b30cef7524abdc5ba0467c9b95932747f9c4861eb6"
    )
