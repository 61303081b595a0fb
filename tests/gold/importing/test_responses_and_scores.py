"""Responses and sheets of another benchmark: bound to what is here, never edited, never guessed."""

import pytest

from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.scoring.sheets.models import Sheet, SheetLine
from tests.gold.importing.conftest import external, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def tasks(write, run) -> None:
    run(
        "import_tasks",
        write(external("x-1", rubric=[line(1), line(2)]), external("x-2"), name="tasks.jsonl"),
        "--external",
    )


def response(key="r-1", **fields):
    return {"task": "x-1", "id": key, "model": "claude-x", "text": "An answer."} | fields


def score(**fields):
    return {
        "task": "x-1",
        "response": "r-1",
        "rater": "ann",
        "kind": "expert",
        "scores": {"c1": 1, "c2": 0},
    } | fields


@pytest.fixture
def responses(tasks, write, run) -> None:
    run(
        "import_responses",
        write(response(), response("r-2", model="m2"), response("r-3", task="x-2"), name="r.jsonl"),
    )


# --- responses ----------------------------------------------------------------------------------
def test_a_response_is_stored_with_its_candidate_time_and_cost(tasks, write, run):
    path = write(response(latency_s=1.2345, cost_usd=0.0123456, text="Line\r\nline"))
    assert run("import_responses", path) == "1 response added."
    stored = Response.objects.get()
    assert (stored.latency_ms, stored.cost_micro, stored.text) == (1234, 12346, "Line\nline")
    assert (stored.candidate.name, stored.candidate.family) == ("claude-x", "anthropic")
    assert stored.source == "imported"


def test_the_same_model_may_answer_a_task_several_times(tasks, write, run):
    run("import_responses", write(response("r-1"), response("r-2")))
    run("import_responses", write(response("r-3"), response("r-4", model="other")))
    samples = dict(Response.objects.values_list("key", "sample"))
    assert samples == {"r-1": 1, "r-2": 2, "r-3": 3, "r-4": 1}
    assert Candidate.objects.count() == 2


def test_more_answers_of_a_model_to_a_task_than_can_be_numbered_are_refused_in_words(
    tasks, write, run, refused
):
    run("import_responses", write(response("r-0")))
    Response.objects.update(sample=32_766)
    path = write(response("r-0"), *(response(f"r-{n}") for n in (1, 2, 3)))
    said = refused("import_responses", path)
    assert said == [
        "file.jsonl:3: id: A model's answers to one task are numbered up to 32,767. "
        '"claude-x" has more to "x-1": give the others another name of the model, or leave them '
        "out.",
        "1 fault; nothing was stored.",
    ]
    assert Response.objects.count() == 1
    run("import_responses", write(response("r-1"), response("r-2", task="x-2")))
    assert Response.objects.get(key="r-1").sample == 32_767


def test_the_same_responses_twice_change_nothing(tasks, write, run):
    path = write(response(latency_s=2.0001), response("r-2", baseline=True))
    run("import_responses", path)
    assert run("import_responses", path) == "2 responses already there, unchanged."
    assert Response.objects.count() == 2


def test_a_changed_response_is_refused_because_responses_are_never_edited(
    tasks, write, run, refused
):
    run("import_responses", write(response()))
    told = refused("import_responses", write(response("r-0"), response(text="Another.")))
    assert told[0] == (
        "file.jsonl:2: text: It differs from the response stored under this id "
        '("An answer." there, "Another." here). Another response needs another id.'
    )
    assert Response.objects.count() == 1


def test_differences_are_told_in_the_units_of_the_file(tasks, write, run, refused):
    run("import_responses", write(response(latency_s=3.5, cost_usd=0.02)))
    told = refused("import_responses", write(response(cost_usd=0.01)))
    assert "latency_s: It differs" in told[0]
    assert "(3.5 there, null here)" in told[0]
    assert "(0.02 there, 0.01 here)" in told[1]


def test_an_empty_answer_is_an_answer(tasks, write, run):
    assert run("import_responses", write(response(text=""))) == "1 response added."


def test_a_task_has_one_baseline(tasks, write, run, refused):
    told = refused(
        "import_responses", write(response(baseline=True), response("r-2", baseline=True))
    )
    assert told[0] == 'file.jsonl:2: baseline: The task has a baseline already: "r-1".'
    run("import_responses", write(response(baseline=True)))
    told = refused("import_responses", write(response("r-2", baseline=True)))
    assert told[0] == 'file.jsonl:1: baseline: The task has a baseline already: "r-1".'


def test_every_fault_of_the_responses_is_named(tasks, write, refused):
    told = refused(
        "import_responses",
        write(
            response(task="x-9"),
            response("r-2", baseline="yes"),
            response("r-3", latency_s=-1),
            response("r-4", cost_usd="free"),
            response("r-5", text=None),
            response("r-5", score=1),
            response("r-6", model=""),
            '{"task": "x-1", "id": "r-7", "model": "m", "text": "t", "latency_s": 1e999}',
        ),
    )
    assert told == [
        'file.jsonl:1: task: There is no task "x-9" here. Import the tasks first.',
        'file.jsonl:2: baseline: This must be true or false, not "yes".',
        "file.jsonl:3: latency_s: This number is outside the range that can be stored: -1.",
        'file.jsonl:4: cost_usd: This must be a number, not "free".',
        "file.jsonl:5: text: This field is missing.",
        "file.jsonl:6: score: There is no such field. Available: task, id, model, text, baseline, "
        "latency_s, cost_usd.",
        'file.jsonl:6: id: "r-5" is already on line 5.',
        "file.jsonl:7: model: This is empty.",
        "file.jsonl:8: latency_s: This number is outside the range that can be stored: Infinity.",
        "9 faults; nothing was stored.",
    ]
    assert not Response.objects.exists()


# --- scores -------------------------------------------------------------------------------------
def test_a_sheet_with_lines_is_stored_submitted_with_its_reasons(responses, write, run):
    path = write(score(scores={"c1": 1, "c2": None}, rationales={"c1": " Named on page 2. "}))
    assert run("import_scores", path) == "1 sheet added."
    sheet = Sheet.objects.get()
    assert (sheet.rater, sheet.kind, sheet.purpose, sheet.state) == (
        "ann",
        "expert",
        "imported",
        "submitted",
    )
    assert sheet.version == Task.objects.get(key="x-1").rubric_versions.get()
    lines = dict(SheetLine.objects.values_list("criterion__key", "met"))
    assert lines == {"c1": True, "c2": None}
    assert SheetLine.objects.get(criterion__key="c1").rationale == "Named on page 2."


def test_a_single_score_is_stored_without_lines_and_needs_no_rubric(responses, write, run):
    run("import_scores", write(score(response="r-3", task="x-2", scores=None, score=3.5)))
    sheet = Sheet.objects.get()
    assert (sheet.score, sheet.version, sheet.lines.count()) == (3.5, None, 0)


def test_the_same_sheets_twice_change_nothing(responses, write, run):
    path = write(
        score(rationales={"c1": "Yes.", "c2": ""}),
        score(rater="gpt", kind="judge", scores=None, score=1),
    )
    run("import_scores", path)
    assert run("import_scores", path) == "2 sheets already there, unchanged."
    assert SheetLine.objects.count() == 2


def test_a_changed_sheet_is_refused_line_by_line(responses, write, run, refused):
    run("import_scores", write(score()))
    told = refused("import_scores", write(score(scores={"c1": 0, "c2": 0})))
    assert told[0] == (
        "file.jsonl:1: scores.c1: It differs from the stored sheet: 1 there, 0 here."
    )
    told = refused("import_scores", write(score(scores=None, score=1)))
    assert told[0].startswith("file.jsonl:1: score: It differs from the stored sheet.")


def test_a_judge_is_not_named_by_a_number_which_is_a_runs(responses, write, run, refused):
    line = {"task": "x-1", "response": "r-1", "rater": "7", "score": 3}
    said = refused("import_scores", write({**line, "kind": "judge"}))
    assert said[0].startswith("file.jsonl:1: rater: Numbers are kept for runs.")
    assert run("import_scores", write({**line, "kind": "expert"})) == "1 sheet added."


@pytest.mark.parametrize("name", ["expert-12", "practice-12", "known-12"])
def test_no_rater_is_named_like_the_sheets_of_our_own_experts(responses, write, refused, name):
    told = refused("import_scores", write(score(rater=name)))
    said = f'file.jsonl:1: rater: Names like "{name}" belong to the experts of this programme.'
    assert said in told


def test_every_fault_of_the_scores_is_named(responses, write, refused):
    told = refused(
        "import_scores",
        write(
            score(score=1),
            score(rater="b", scores=None),
            score(rater="c", scores={"c9": 1}, rationales={"c1": "x"}),
            score(rater="d", scores={"c1": 2, "c2": True}),
            score(rater="e", response="r-3"),
            score(rater="f", response="r-9"),
            score(rater="g", kind="robot"),
            score(rater="h", task="x-2", response="r-3"),
            score(rater="i", scores={}),
            score(rater="j", scores=[1, 0]),
            score(rater="k", rationales="none"),
            score(rater="l", scores=None, score=1, rationales={"c1": "x"}),
            score(rater="expert-12"),
            score(rater="ann"),
            score(rater="ann", response="r-2", kind="judge"),
        ),
    )
    assert told == [
        "file.jsonl:1: score: A line has either scores or one score, not both.",
        "file.jsonl:2: scores: A line needs scores, or one score.",
        "file.jsonl:3: scores.c9: The task's rubric has no line with this id.",
        "file.jsonl:3: rationales.c1: There is no score with this id to explain.",
        "file.jsonl:4: scores.c1: A line is scored 1, 0 or null, not 2.",
        "file.jsonl:4: scores.c2: A line is scored 1, 0 or null, not true.",
        'file.jsonl:5: response: This response belongs to the task "x-2".',
        'file.jsonl:6: response: There is no response "r-9" here. Import the responses first.',
        'file.jsonl:7: kind: This must be one of expert, judge, not "robot".',
        "file.jsonl:8: scores: The task has no rubric, so no line can be scored.",
        "file.jsonl:9: scores: There is no line in it.",
        "file.jsonl:10: scores: This must be an object of criterion ids, not [1, 0].",
        'file.jsonl:11: rationales: This must be an object of criterion ids, not "none".',
        "file.jsonl:12: rationales: Rationales go with scores, line by line.",
        'file.jsonl:13: rater: Names like "expert-12" belong to the experts of this programme.',
        "file.jsonl:14: rater: This rater's sheet for this response is already on line 1.",
        'file.jsonl:15: kind: "ann" is already recorded as the other kind.',
        "17 faults; nothing was stored.",
    ]
    assert not Sheet.objects.exists()
