"""A hundred responses by each method, with a fault in every twentieth call: nothing is lost."""

import json
from fractions import Fraction

import pytest

from judge.methods.conditions.facts import as_text
from judge.methods.profiles.models import Profile
from judge.runs.engine.models import Finding, Judgment, RunItem, Verdict
from tests.llm_methods import entries_of, grade_of, is_right, judged_profile
from tests.llm_rule import verdict_of
from tests.methods.base import factory
from tests.runs.engine.factory import benchmark
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db

TASKS, CANDIDATES = 4, 25
ALL = TASKS * CANDIDATES


def responses(form, text):
    """A hundred responses: `text` says what candidate `n` writes about a task."""
    tasks = [factory.task_of(form) for _ in range(TASKS)]
    for task in tasks:
        for n in range(CANDIDATES):
            factory.respond(task, text(task, n), f"system-{n}")


def scores(run):
    """Response text -> exact score of each judged response."""
    rows = Judgment.objects.filter(items__run=run).values_list(
        "response__text", "score_numerator", "score_denominator"
    )
    return {text: Fraction(above, below) for text, above, below in rows}


def judged_by(stub, judge, method, **more):
    stub.faults, stub.seed = 0.05, 17
    run, result = judge(method=method, concurrency=8, **more)
    assert (result["judged"], result["failed"], result["skipped"]) == (ALL, 0, 0)
    assert stub.stats()["behaviours"]["ok"] < stub.calls, "no fault was tried"
    assert not RunItem.objects.filter(run=run).exclude(state="judged").exists()
    return run


def test_by_grades_every_grade_is_the_one_given(stub, judge):
    responses("text", lambda task, n: f"Company {n} of {task.key} is worth {n} million.")
    run = judged_by(stub, judge, "graded")
    assert Finding.objects.count() == ALL
    assert scores(run) == {
        text: Fraction(grade_of(text) - 1, 4)
        for text in RunItem.objects.values_list("response__text", flat=True)
    }


def test_by_list_match_every_entry_is_the_one_given(stub, judge):
    names = ("Acme", "Beta Works", "Gamma", "Delta AG", "Made-up Ltd", "Omega")

    def text(task, n):
        chosen = [name for bit, name in enumerate(names) if (n + 7) >> bit & 1] or [names[0]]
        return f"List {n} for {task.key}\n" + "\n".join(f"- {name}" for name in chosen)

    responses("list", text)
    judged_by(stub, judge, "list_match")
    gold = {f"g{n}": words for n, words in enumerate(factory.GOLD, start=1)}
    for said, data in Finding.objects.values_list("judgment__response__text", "data"):
        given = [{**entry, "line": entry["line"] or ""} for entry in entries_of(said, gold)]
        assert [*data["counted"], *data["beyond"]] == given
    assert Verdict.objects.count() == ALL * len(factory.GOLD)


def test_by_questions_every_line_is_the_one_given(stub, judge):
    responses("profile", lambda task, n: f"Profile {n} for {task.key} says much about her life.")
    judged_by(stub, judge, "questions")
    rows = Verdict.objects.values_list("judgment__response__text", "criterion__key", "outcome")
    assert len(rows) == ALL * len(factory.QUESTIONS)
    for text, key, outcome in rows:
        assert outcome == ("met" if verdict_of(key, text) else "unmet")


def test_by_exact_answers_every_answer_is_right_or_wrong_as_given(stub, judge):
    responses(
        "exact",
        lambda task, n: (
            f"{task.key}\nAnswer: **1,234.5 kg** (Confidence: {n}%)"
            if n % 5 == 0
            else f"{task.key}\nAnswer: about {n} tons"
        ),
    )
    run = judged_by(stub, judge, "exact")
    for text, score in scores(run).items():
        agrees = "1,234.5" in text
        assert score == (1 if agrees or is_right(text) else 0)
    asked = Finding.objects.filter(data__asked=True).count()
    assert (asked, Finding.objects.count()) == (ALL * 4 // 5, ALL)
    assert run.calls.filter(error="").count() == ALL * 4 // 5


def test_by_conditions_every_profile_is_judged_as_given_and_none_contradicts_itself(stub, judge):
    names = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")

    def text(task, n):
        chosen = [name for bit, name in enumerate(names) if (n + 7) >> bit & 1]
        return f"List {n} for {task.key}\n{json.dumps(chosen)}"

    responses("selection", text)
    run = judged_by(stub, judge, "conditions")
    kept = {pk: as_text(profile) for pk, profile in Profile.objects.in_bulk().items()}
    conditions = [("g1", "necessary"), ("g2", "flexible")]
    rows = Finding.objects.values_list("judgment", "name", "data")
    listed = {pk: data["entries"] for pk, name, data in rows if name == "list"}
    cases = 0
    for pk, name, data in rows:
        if name == "list":
            continue
        profile = next(entry["profile"] for entry in listed[pk] if entry["part"] == name)
        given = judged_profile(kept[profile], conditions)
        assert data["selected"] is given["selected"]
        assert data["grades"] == {row["id"]: row["grade"] for row in given["grades"]}
        assert not data["selected"] or data["grades"]["g1"] >= 3
        cases += 1
    assert cases == sum(len(entries) for entries in listed.values()) > 2 * ALL
    assert run.calls.filter(error="").count() == cases


@pytest.mark.parametrize("method", ["one_shot", "zero_shot"])
def test_line_by_line_every_verdict_is_the_one_given(stub, judge, method):
    benchmark(TASKS, CANDIDATES, lines=5)
    stub.faults, stub.seed = 0.05, 17
    run, result = judge(method=method)
    assert (result["judged"], result["failed"]) == (ALL, 0)
    assert all_right(run) == 5 * ALL
