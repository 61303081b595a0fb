"""What a method found leaves with its score and comes back the same; no score is never a 0."""

import csv
import json

import pytest

from judge.asking.candidates.models import Response
from judge.methods.jade.method import Jade
from judge.results.alignment.raters import Rater
from judge.results.leaderboard.ranking import board
from judge.results.verdicts.response_page import response_page
from judge.runs.engine.models import Finding
from judge.scoring.sheets.models import Sheet
from tests.conftest import browser_of
from tests.llm_stub import Behaviour
from tests.methods.base import factory
from tests.methods.jade.test_method_scores import judged as jade_walk

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


@pytest.mark.parametrize(
    ("method", "form", "words"),
    [
        ("graded", "text", ["of 5:", "By the rule."]),
        ("exact", "exact", ["Final answer", "1234.5 kg", "80 %"]),
        ("list_match", "list", ["gold items are covered", "Omega Ltd"]),
        ("conditions", "selection", ["Conditions by profile", "not in the table", "By the rule."]),
    ],
)
def test_the_page_of_a_response_shows_what_an_imported_judge_found(
    method, form, words, stub, judge, run, write, staff
):
    response = answer_to(form)
    made, _result = judge(method=method)
    (row,) = exported(run, made.pk)
    imported(run, write, [row])
    at = f"/staff/verdicts/{response.pk}/?judge="
    page = browser_of(staff).get(at + row["rater"]).content.decode()
    for said in words:
        assert said in page
    assert shown(page) == shown(browser_of(staff).get(f"{at}{made.pk}").content.decode())


def shown(page):
    """The part of the page that is the method's own."""
    return page.partition('<section class="pane-note"')[2].partition("</section>")[0]


@pytest.mark.parametrize(
    ("method", "findings"),
    [
        ("graded", {"panel": {"notes": ["Thin on <tax>", None]}, "rounds": 2}),
        ("list_match", {"list": {"covered": 0, "of": 0, "counted": ["Thin on <tax>"]}}),
        ("conditions", {"list": "Thin on <tax>"}),
        ("exact", {"list": ["Thin on <tax>"]}),
    ],
)
def test_findings_of_an_unknown_form_are_listed_as_they_stand(
    method, findings, run, write, staff, stub
):
    response = answer_to("text")
    row = {
        "task": response.task.key,
        "response": response.key,
        "rater": "judge-x",
        "kind": "judge",
        "method": method,
        "score": 0.5,
        "findings": findings,
    }
    imported(run, write, [row])
    page = browser_of(staff).get(f"/staff/verdicts/{response.pk}/?judge=judge-x")
    assert page.status_code == 200
    assert "Thin on &lt;tax&gt;" in page.content.decode()
    assert "judge-x · 50" in page.content.decode()


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


@pytest.mark.parametrize(
    ("part", "changes", "row"),
    [
        ("report", {"value": "5", "tolerance": "abc"}, "report.claims.1.tolerance"),
        ("claim:c1", {"found_value": "5", "off_percent": "x"}, "claim:c1.off_percent"),
        ("claim:c1", {"excerpts": 7}, "claim:c1.excerpts"),
    ],
)
def test_findings_that_a_template_cannot_show_are_listed_as_they_stand(
    part, changes, row, run, write, staff, stub
):
    response = factory.respond(factory.task_of("text"), "Net debt rises.")
    found = json.loads(json.dumps(jade_walk(Jade()).findings))
    changed = found["report"]["claims"][0] if part == "report" else found[part]
    assert changes.keys() <= changed.keys()
    changed.update(changes)
    sent = {
        "task": response.task.key, "response": response.key, "rater": "judge-x", "kind": "judge",
        "method": "jade", "score": 0.5, "findings": found,
    }  # fmt: skip
    imported(run, write, [sent])
    page = browser_of(staff).get(f"/staff/verdicts/{response.pk}/?judge=judge-x")
    assert page.status_code == 200
    assert row in page.content.decode()
