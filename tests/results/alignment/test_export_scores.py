"""The verdicts of a run leave as a file, and come back as another judge's sheets."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from curation.tasks.task.models import Task
from judge.scoring.sheets.models import Sheet
from tests.results.alignment.conftest import fill_three


def run(*options: Any) -> tuple[str, str]:
    """What a command printed, and what it warned of."""
    out, errors = io.StringIO(), io.StringIO()
    call_command(*map(str, options), stdout=out, stderr=errors)
    return out.getvalue(), errors.getvalue()


@pytest.fixture
def judged(bench: Any) -> Any:
    """A run over two tasks with three candidates; one line of one response failed."""
    fill_three(bench)
    return bench.run(
        {
            ("one", "Cedar"): (1, 1, 0, 1),
            ("one", "Birch"): (1, 0, 0, 0),
            ("one", "Alder"): (0, 0, 1, 1),
            ("two", "Cedar"): (1, 1, 1, 1),
            ("two", "Birch"): (0, 1, None, 1),
            ("two", "Alder"): (0, 0, 0, 0),
        }
    )


def test_each_response_is_a_sheet_with_the_judges_reasons(judged: Any) -> None:
    written, warned = run("export_scores", judged.pk)
    sheets = [json.loads(line) for line in written.splitlines()]
    assert sheets[0] == {
        "task": "one",
        "response": "one-Cedar",
        "rater": f"judge-1-run-{judged.pk}",
        "kind": "judge",
        "scores": {"c0": 1, "c1": 1, "c2": 0, "c3": 1},
        "rationales": {f"c{n}": f"The judge on c{n}" for n in range(4)},
    }
    assert sheets[4]["scores"] == {"c0": 0, "c1": 1, "c3": 1}
    assert warned == ""


def test_the_file_imported_again_gives_the_same_alignment_report(
    judged: Any, tmp_path: Any
) -> None:
    target = tmp_path / "verdicts.jsonl"
    said, _warned = run("export_scores", judged.pk, "--out", target, "--rater", "the same judge")
    assert said == "Wrote the verdicts on 6 responses to verdicts.jsonl.\n"
    assert run("import_scores", target)[0] == "6 sheets added.\n"
    reports = [
        json.loads(run("alignment", "--judge", name, "--experts", "expert-1", "--json")[0])
        for name in (judged.pk, "the same judge")
    ]
    for level in ("preference", "criterion", "score"):
        assert reports[0][level]
        assert reports[0][level] == reports[1][level]


def test_a_response_whose_lines_all_failed_stays_a_gap_of_the_judge(
    judged: Any, bench: Any, tmp_path: Any
) -> None:
    run_with_gap = bench.run(
        {("one", "Cedar"): (None,) * 4, ("one", "Birch"): (1, 0, 0, 0)}, model="judge-2"
    )
    target = tmp_path / "verdicts.jsonl"
    run("export_scores", run_with_gap.pk, "--out", target, "--rater", "the same judge")
    first = json.loads(target.read_text().splitlines()[0])
    assert first["scores"] == dict.fromkeys(("c0", "c1", "c2", "c3"))
    assert run("import_scores", target)[0] == "2 sheets added.\n"
    ours, theirs = (
        {row["candidate"]: (row["mean"], sum(row["gaps"].values())) for row in board["standings"]}
        for judge in (run_with_gap.pk, "the same judge")
        for board in [json.loads(run("leaderboard", "--run", judge, "--json")[0])]
    )
    assert ours == theirs
    assert ours["Cedar"] == (None, 1)


def test_a_table_has_a_row_for_each_line_also_for_a_failed_one(judged: Any, tmp_path: Any) -> None:
    target = tmp_path / "verdicts.csv"
    run("export_scores", judged.pk, "--out", target)
    rows = list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8-sig"))))
    assert len(rows) == 24
    assert {row["candidate"] for row in rows} == {"Alder", "Birch", "Cedar"}
    failed = next(row for row in rows if row["outcome"] == "failed")
    assert (failed["response"], failed["line"], failed["score"]) == ("two-Birch", "c2", "")


def test_responses_the_run_skipped_leave_with_the_reason(judged: Any, bench: Any) -> None:
    later = bench.run(
        {("one", "Cedar"): (1, 1, 1, 1)},
        model="judge-2",
        skipped={("one", "Birch"): "same_family", ("two", "Alder"): "same_family"},
    )
    written, warned = run("export_scores", later.pk)
    sheets = [json.loads(line) for line in written.splitlines()]
    assert [(s["response"], s.get("skipped")) for s in sheets] == [
        ("one-Cedar", None),
        ("one-Birch", "same_family"),
        ("two-Alder", "same_family"),
    ]
    assert warned == ""


def test_responses_that_still_wait_are_left_out_and_counted(judged: Any, bench: Any) -> None:
    later = bench.run({("one", "Cedar"): (1, 1, 1, 1)}, model="judge-2", state="running")
    later.items.create(response=bench.response("two", "Dogwood"))
    written, warned = run("export_scores", later.pk)
    assert len(written.splitlines()) == 1
    assert warned == "1 response of the run has no judgment and is left out.\n"


def test_verdicts_on_an_earlier_rubric_are_left_out_and_counted(judged: Any, bench: Any) -> None:
    old = bench.versions["one"]
    new = type(old).objects.create(
        task=old.task, number=2, origin="import", frozen_at=old.frozen_at, sha256="1" * 64
    )
    line = old.criteria.first()
    line.pk = None
    line.version = new
    line.save()
    written, warned = run("export_scores", judged.pk)
    assert {json.loads(sheet)["task"] for sheet in written.splitlines()} == {"two"}
    assert "3 responses were judged on an earlier version" in warned


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("999",), "There is no run “999”. Runs:"),
        (("seven",), "There is no run “seven”. Runs:"),
        (("{run}", "--rater", "two\nlines"), "line breaks"),
        (("{run}", "--out", "/nowhere/file.jsonl"), "There is no folder"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_a_sentence(
    judged: Any, options: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run("export_scores", *(option.format(run=judged.pk) for option in options))


def test_a_run_that_judged_nothing_is_refused_and_a_file_is_never_overwritten(
    judged: Any, bench: Any, tmp_path: Any
) -> None:
    empty = bench.run({}, model="judge-2")
    with pytest.raises(CommandError, match="has judged nothing yet"):
        run("export_scores", empty.pk)
    target = tmp_path / "there.jsonl"
    target.write_text("mine")
    with pytest.raises(CommandError, match="Choose another name"):
        run("export_scores", judged.pk, "--out", target)
    assert target.read_text() == "mine"


class TestStaleVerdicts:
    """The first task was amended after the run: its prompt, or what its rubric rests on."""

    @pytest.fixture(params=["prompt_since", "rubric_since"])
    def amended(self, request: Any, judged: Any) -> str:
        Task.objects.filter(key="one").update(version=2, **{request.param: 2})
        return str(request.param)

    def test_they_are_left_out_with_the_number_and_the_reason(
        self, judged: Any, amended: str
    ) -> None:
        written, warned = run("export_scores", judged.pk)
        assert {json.loads(sheet)["task"] for sheet in written.splitlines()} == {"two"}
        why = {
            "prompt_since": "answers an earlier text of the task",
            "rubric_since": "scored by the rubric of an earlier text",
        }[amended]
        assert f"3 responses are left out, because their tasks were amended: {why}." in warned

    def test_on_request_they_are_written_with_a_mark_that_the_import_refuses(
        self, judged: Any, amended: str, tmp_path: Any
    ) -> None:
        target = tmp_path / "verdicts.jsonl"
        said, warned = run("export_scores", judged.pk, "--out", target, "--with-stale")
        assert said == "Wrote the verdicts on 6 responses to verdicts.jsonl.\n"
        assert warned == "3 responses are marked as stale: import_scores refuses them.\n"
        sheets = [json.loads(line) for line in target.read_text().splitlines()]
        assert {sheet["task"] for sheet in sheets if "stale" in sheet} == {"one"}
        with pytest.raises(CommandError, match=r"jsonl:1: stale: This rests on an earlier text"):
            run("import_scores", target)
        assert not Sheet.objects.filter(kind="judge").exists()

    def test_the_table_names_the_reason_in_its_last_column(
        self, judged: Any, amended: str, tmp_path: Any
    ) -> None:
        target = tmp_path / "verdicts.csv"
        run("export_scores", judged.pk, "--out", target, "--with-stale")
        rows = list(csv.DictReader(target.open(encoding="utf-8-sig")))
        marks = {(row["task"], row["stale"]) for row in rows}
        code = {"prompt_since": "earlier_text", "rubric_since": "rubric_of_earlier_text"}[amended]
        assert marks == {("one", code), ("two", "")}

    def test_elsewhere_the_rest_gives_the_same_standings(
        self, judged: Any, amended: str, tmp_path: Any
    ) -> None:
        target = tmp_path / "verdicts.jsonl"
        run("export_scores", judged.pk, "--out", target, "--rater", "the same judge")
        # In the other installation the first task was rewritten, and nothing is amended.
        ours = json.loads(run("leaderboard", "--run", judged.pk, "--json")[0])
        Task.objects.update(version=1, prompt_since=0, rubric_since=0)
        run("import_scores", target)
        theirs = json.loads(run("leaderboard", "--run", "the same judge", "--json")[0])
        assert [(row["candidate"], row["mean"]) for row in theirs["standings"]] == [
            (row["candidate"], row["mean"]) for row in ours["standings"]
        ]

    def test_a_download_of_nothing_else_is_refused_in_a_sentence(
        self, judged: Any, sign_in: Any, staff: Any
    ) -> None:
        Task.objects.update(version=2, prompt_since=2)
        reply = sign_in(staff).get(f"/staff/verdicts.jsonl?judge={judged.pk}")
        assert reply.status_code == 400
        assert "was amended after it was judged" in reply.content.decode()
