"""What a method found leaves with its score and comes back the same; no score is never a 0."""

import csv
import json

import pytest

from judge.alignment.raters import Rater
from judge.candidates.models import Response
from judge.engine.models import Finding
from judge.leaderboard.ranking import board
from judge.sheets.models import Sheet
from judge.verdicts.response_page import response_page
from tests.llm_stub import Behaviour
from tests.methods import factory

pytestmark = pytest.mark.django_db
LIST = "1. Acme Corp\n2. Gamma\n3. Omega Ltd\n4. Beta Works"
CHOSEN = 'I choose:\n[{"name": "Ann", "link": "https://video.example/@Ann"}, {"name": "Nobody"}]'


def answer_to(form):
    task = factory.task_of(form)
    text = {
        "text": "Net debt rises.",
        "exact": "It weighs so much.\nAnswer: 1234.5 kg\nConfidence: 80%",
        "list": LIST,
        "selection": CHOSEN,
    }[form]
    return factory.respond(task, text)


def exported(run, number, *more):
    return [json.loads(row) for row in run("export_scores", str(number), *more).splitlines()]


def imported(run, write, rows):
    run("import_scores", write(*rows))
    return Sheet.objects.get(rater=rows[0]["rater"], response__key=rows[0]["response"])


@pytest.mark.parametrize(
    ("method", "form", "named"),
    [
        ("graded", "text", {"grade": {"grade", "analysis"}}),
        ("exact", "exact", {"answer": {"extracted", "confidence", "correct"}}),
        ("list_match", "list", {"list": {"grade", "covered", "of", "counted", "invented"}}),
        ("conditions", "selection", {"list": {"entries", "conditions", "number"}}),
    ],
)
class TestEveryMethodOfWholeScores:
    def test_is_exported_with_its_own_detail_and_read_back(
        self, method, form, named, stub, judge, run, write
    ):
        answer_to(form)
        made, _result = judge(method=method)
        (row,) = exported(run, made.pk)
        assert row["method"] == method
        for name, fields in named.items():
            assert fields <= row["findings"][name].keys()
        sheet = imported(run, write, [row])
        read = (sheet.method, sheet.score, sheet.findings)
        assert read == (method, row["score"], row["findings"])
        run("import_scores", write(row))
        assert Sheet.objects.count() == 1, "the same again changes nothing"

    def test_a_changed_detail_is_another_sheet_and_refused(
        self, method, form, named, stub, judge, run, write, refused
    ):
        answer_to(form)
        made, _result = judge(method=method)
        (row,) = exported(run, made.pk)
        imported(run, write, [row])
        changed = {**row, "findings": {"grade": {"grade": 1}}}
        assert any("findings" in said for said in refused("import_scores", write(changed)))
        assert refused("import_scores", write({**row, "method": "other"}))

    def test_an_imported_judge_ranks_as_the_run_did(
        self, method, form, named, stub, judge, run, write
    ):
        answer_to(form)
        made, _result = judge(method=method)
        rows = exported(run, made.pk)
        imported(run, write, rows)
        here = board(Rater(str(made.pk), made), resamples=20)
        there = board(Rater(rows[0]["rater"]), resamples=20)
        assert [e.standing.mean for e in there.candidates] == [
            e.standing.mean for e in here.candidates
        ]


def test_a_selection_names_its_profiles_by_keys(stub, judge, run):
    answer_to("selection")
    made, _result = judge(method="conditions")
    (row,) = exported(run, made.pk)
    assert [e["profile"] for e in row["findings"]["list"]["entries"]] == ["ann", None]
    stored = Finding.objects.get(name="list").data["entries"][0]["profile"]
    assert isinstance(stored, int), "what is stored is as it was"


class TestAResponseWithoutAScore:
    @pytest.fixture
    def made(self, stub, judge):
        for n in range(2):
            factory.respond(factory.task_of("text"), f"System {n}.", f"system-{n}")
        stub.script(*[Behaviour("ok", text="No grade.")] * 3)
        return judge(method="graded", concurrency=1)[0]

    def test_stands_in_the_file_with_the_reason_and_without_a_score(self, made, run, write):
        rows = exported(run, made.pk)
        (failed,) = [row for row in rows if "score" not in row]
        assert failed["failed"] == "unreadable"
        assert len(rows) == 2
        run("import_scores", write(*rows))
        sheet = Sheet.objects.get(response__key=failed["response"])
        assert (sheet.score, sheet.reason) == (None, "unreadable")
        (entry,) = [
            entry for entry in board(Rater(failed["rater"]), resamples=20).candidates if entry.gaps
        ]
        assert (entry.gaps, entry.standing.mean) == ({"unreadable": 1}, None)
        response = Response.objects.get(key=failed["response"])
        assert response_page(response.pk, Rater(failed["rater"])).why

    def test_stands_in_the_table_too(self, made, run, tmp_path):
        out = tmp_path / "scores.csv"
        run("export_scores", str(made.pk), "--out", str(out))
        rows = list(csv.DictReader(out.open(encoding="utf-8-sig")))
        assert {(row["outcome"], row["score"] == "") for row in rows} == {
            ("score", False),
            ("failed", True),
        }
        assert {row["why"] for row in rows} == {"", "unreadable"}
        (scored,) = [row for row in rows if row["score"]]
        assert json.loads(scored["findings"])["grade"]["grade"] in range(1, 6)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"score": 1.5}, "score: A score of this method is from 0 to 1"),
        ({"failed": "unreadable"}, "neither skipped nor failed"),
        ({"score": None, "scores": {"g1": 1}}, "method: A method goes with one score"),
        ({"method": None}, "findings: Say by which method"),
        ({"findings": {"a": "x\u0000y"}}, "findings: This text contains an invisible NUL"),
        ({"findings": [1]}, "findings"),
        ({"score": None, "failed": "x", "kind": "expert"}, "failed: Only a judge fails"),
    ],
)
def test_what_does_not_go_together_is_named(changes, fault, write, refused):
    response = factory.respond(factory.task_of("text"), "Net debt rises.")
    row = {
        "task": response.task.key, "response": response.key, "rater": "j", "kind": "judge",
        "method": "graded", "score": 0.5, "findings": {"grade": {"grade": 3}},
    }  # fmt: skip
    assert fault in "\n".join(refused("import_scores", write({**row, **changes})))
    assert not Sheet.objects.exists()
