"""Profiles checked by questions: every quotation has to stand in the profile."""

import json

import pytest

from judge.runs.engine.models import Verdict
from rubrics.versions.models import Criterion
from tests.llm_stub import Behaviour
from tests.methods.base import factory

pytestmark = pytest.mark.django_db

PROFILE = "She studied in **Zürich** and built the “search index” at Acme.\nShe leads since 2019."


def answer(name, quote="She leads since 2019.", *, agrees=True):
    return {"id": name, "quote": quote, "why": "So.", "agrees": agrees}


def reply(*answers):
    return Behaviour("ok", text=json.dumps({"answers": list(answers)}, ensure_ascii=False))


@pytest.fixture
def response(profile_task):
    return factory.respond(profile_task, PROFILE)


def outcomes(response):
    rows = Verdict.objects.filter(judgment__response=response)
    return dict(rows.values_list("criterion__key", "outcome"))


def test_a_quotation_counts_whatever_its_markdown_quotes_and_case(stub, judge, response):
    stub.script(
        reply(
            answer("g1", "she studied in Zürich"),
            answer("g2", 'built the "search index" at Acme…'),
            answer("g3", "", agrees=False),
        )
    )
    _run, result = judge(method="questions")
    assert (result["judged"], result["calls"]) == (1, 1)
    assert outcomes(response) == {"g1": "met", "g2": "met", "g3": "unmet"}
    found = factory.judgment(response)
    assert (found.score_numerator, found.score_denominator) == (3, 6)


def test_only_the_line_with_an_invented_quotation_is_asked_again(stub, judge, response):
    good = (answer("g1"), answer("g3"))
    stub.script(reply(*good, answer("g2", "She built the moon.")))
    _run, result = judge(method="questions")
    assert (result["judged"], result["calls"]) == (1, 2)
    last = stub.requests[-1].body["messages"][-1]["content"].splitlines()[-1]
    assert json.loads(last.removeprefix("Lines to judge: ")) == ["g2"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (answer("g2", "She built the moon."), "not_in_response"),
        (answer("g2", ""), "not_in_response"),
        (answer("g2", "…"), "not_in_response"),
        (answer("g2", "She built the moon.", agrees=False), "not_in_response"),
        (answer("g2", agrees="yes"), "unreadable"),
        ({"id": "g2", "why": "So.", "agrees": True}, "unreadable"),
        ({"id": "g9", "quote": "", "why": "", "agrees": True}, "missing"),
    ],
)
def test_a_line_that_stays_bad_fails_with_its_reason_and_the_others_stay(
    stub, judge, response, bad, reason
):
    stub.script(reply(answer("g1"), bad, answer("g3")), reply(bad), reply(bad))
    _run, result = judge(method="questions")
    assert (result["failed"], result["calls"], result["reasons"]) == (1, 3, {reason: 1})
    assert outcomes(response) == {"g1": "met", "g2": "failed", "g3": "met"}
    assert factory.judgment(response).score_numerator is None


def test_two_answers_that_differ_are_none(stub, judge, response):
    both = (answer("g2"), answer("g2", agrees=False))
    stub.script(reply(answer("g1"), *both, answer("g3")), reply(*both), reply(*both))
    _run, result = judge(method="questions")
    assert result["reasons"] == {"conflicting": 1}


def test_an_abstention_leaves_no_score(stub, judge, response):
    stub.script(reply(answer("g1"), answer("g2", "", agrees=None), answer("g3")))
    judge(method="questions")
    assert outcomes(response)["g2"] == "abstained"
    assert factory.judgment(response).score_numerator is None


def test_one_call_for_each_line_says_the_same(stub, judge, response):
    _run, result = judge(method="questions", calls_mode="per_criterion")
    assert (result["judged"], result["calls"]) == (1, 3)


def test_a_question_without_an_answer_is_skipped(stub, judge):
    task = factory.task_of("profile", lines=("Where did she study?", "Since when?|2019"))
    factory.respond(task, PROFILE)
    _run, result = judge(method="questions")
    assert (result["judged"], result["reasons"]) == (0, {"question_without_answer": 1})


def test_the_passage_a_line_rests_on_is_its_answer_too(stub, judge):
    task = factory.task_of("profile", lines=("Where did she study?",))
    Criterion.objects.filter(version__task=task).update(quote="In Zürich.")
    factory.respond(task, PROFILE)
    _run, result = judge(method="questions")
    assert result["judged"] == 1
    assert "In Zürich." in str(stub.requests[-1].body)
