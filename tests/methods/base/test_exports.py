"""Scores of every method leave the installation and come back; experts are compared with them."""

import json

import pytest

from judge.scoring.sheets.models import Sheet
from tests.llm_methods import grade_of
from tests.methods.base import factory
from tests.runs.engine.factory import sheet

pytestmark = pytest.mark.django_db


def graded(candidates=3, tasks=2):
    made = [factory.task_of("text") for _ in range(tasks)]
    return [
        factory.respond(task, f"System {n} on {task.key}.", f"system-{n}")
        for task in made
        for n in range(candidates)
    ]


def test_a_score_that_no_lines_give_is_exported_as_a_score_and_comes_back(
    stub,
    judge,
    run,
    write,
):
    responses = graded()
    made, _result = judge(method="graded")
    lines = [json.loads(row) for row in run("export_scores", str(made.pk)).splitlines()]
    assert {row["response"]: row["score"] for row in lines} == {
        response.key: (grade_of(response.text) - 1) / 4 for response in responses
    }
    assert all(row["findings"]["grade"]["grade"] == 1 + 4 * row["score"] for row in lines)
    run("import_scores", write(*lines))
    stored = Sheet.objects.filter(kind="judge").values_list("response__key", "score")
    assert dict(stored) == {row["response"]: row["score"] for row in lines}


def test_questions_are_exported_line_by_line(stub, judge, run):
    factory.respond(factory.task_of("profile"), "She leads since 2019.")
    made, _result = judge(method="questions")
    row = json.loads(run("export_scores", str(made.pk)))
    assert set(row["scores"]) == {"g1", "g2", "g3"}


def test_the_leaderboard_ranks_by_grades(stub, judge, run):
    responses = graded()
    made, _result = judge(method="graded")
    board = json.loads(run("leaderboard", "--run", str(made.pk), "--json"))
    mean = {}
    for response in responses:
        mean.setdefault(response.candidate.name, []).append((grade_of(response.text) - 1) / 4)
    assert board["method"] == "graded"
    assert board["extras"] is None
    for row in board["standings"]:
        scores = mean[row["candidate"]]
        assert row["mean"] == pytest.approx(sum(scores) / len(scores))


def test_a_graded_run_is_aligned_by_pairs_and_has_no_lines(stub, judge, run):
    for response in graded(candidates=3, tasks=4):
        version = response.task.rubric_versions.get()
        scored = sheet(response, version, f"expert-{response.candidate_id}")
        if response.candidate.name == "system-0":
            scored.lines.update(met=True)
    made, _result = judge(method="graded")
    found = json.loads(run("alignment", "--judge", str(made.pk), "--json", "--bootstrap", "50"))
    assert found["preference"]["tasks"] > 0
    assert found["preference"]["cdr_micro"] is not None
    assert found["criterion"] is None or found["criterion"]["cells"] == 0
