"""The leaderboard ranks by the judge's own scores, and shows beside them those with overrules."""

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.tasks.task.models import Task
from judge.results.flags.overrules import Overrule
from judge.results.leaderboard.overruled import overruled_scores
from judge.runs.engine.models import Judgment
from tests.markup import words_of
from tests.methods.base import factory
from tests.results.overrules.conftest import send

pytestmark = pytest.mark.django_db


def board(desk, judgment):
    return desk.get("/leaderboard.json", {"run": judgment.run_id}).json()


def test_the_standings_stay_those_of_the_judge_and_overrules_stand_beside_them(judgment, desk):
    before = board(desk, judgment)
    assert before["overrules"] is None
    send(desk, judgment, "claim:c1", "supported", confidence=100)
    after = board(desk, judgment)
    own = {name: value for name, value in after.items() if name != "overrules"}
    assert own == {name: value for name, value in before.items() if name != "overrules"}
    candidate = judgment.response.candidate.name
    assert after["overrules"] == {
        "responses": 1,
        "differ": 1,
        "standings": [
            {
                "candidate": candidate,
                "by_judge": 0.0,
                "score": pytest.approx(10 / 25 * 43 / 60),
                "differ": 1,
            }
        ],
    }


def test_an_overrule_that_changes_no_score_is_counted_as_none_that_differs(judgment, desk):
    send(desk, judgment, "item:q1", "no")  # its gate is closed
    found = board(desk, judgment)["overrules"]
    assert (found["responses"], found["differ"]) == (1, 0)


def test_a_candidate_whose_score_became_known_has_one_with_overrules_alone(planted, desk, findings):
    response, _run = planted({**findings, "claim:c1": None}, score=(None, 2))
    judgment = Judgment.objects.get(response=response)
    send(desk, judgment, "claim:c1", "supported", confidence=100)
    (row,) = board(desk, judgment)["overrules"]["standings"]
    assert (row["by_judge"], row["differ"]) == (None, 1)
    assert row["score"] == pytest.approx(10 / 25 * 43 / 60)


def test_nothing_is_shown_any_more_once_it_is_taken_back(judgment, desk):
    send(desk, judgment, "item:q2", "no")
    desk.post(f"/staff/overrules/{Overrule.objects.get().pk}/take-back/")
    assert board(desk, judgment)["overrules"] is None


def test_a_response_to_an_earlier_text_stays_left_out(judgment, desk):
    send(desk, judgment, "claim:c1", "supported", confidence=100)
    Task.objects.filter(pk=judgment.response.task_id).update(version=5, prompt_since=5)
    assert board(desk, judgment)["overrules"] is None


def test_the_page_and_the_command_say_both(judgment, desk, capsys):
    send(desk, judgment, "claim:c1", "supported", confidence=100)
    words = words_of(desk.get("/leaderboard/", {"run": judgment.run_id}).content.decode())
    assert "People overruled the judge on 1 response; 1 has another score with it." in words
    candidate = judgment.response.candidate.name
    assert f"{candidate} 28.7 0.0 1" in words
    call_command("leaderboard", "--run", str(judgment.run_id), "--json")
    printed = json.loads(capsys.readouterr().out)
    assert printed["overrules"]["differ"] == 1


def test_it_takes_one_query_and_none_for_methods_without_overrules(judgment, desk, judge):
    send(desk, judgment, "item:q2", "no")
    run = judgment.run
    with CaptureQueriesContext(connection) as asked:
        assert overruled_scores(run)
    assert len(asked) == 1
    factory.respond(factory.task_of("text"), "Another answer.")
    run, _result = judge(method="graded", provider="offline", model="")
    with CaptureQueriesContext(connection) as asked:
        overruled_scores(run)
    assert len(asked) == 0
