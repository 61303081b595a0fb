"""Conditions drafted from those really chosen: one call each, one for all, reasons kept."""

import json

import pytest
from django.core.management import call_command

from judge.asking.calls.models import Call
from judge.methods.conditions.offline import drafted_by_rules
from judge.methods.profiles.models import ConditionReason
from judge.suggesting.drafts.generate import draft_for
from rubrics.versions.models import Criterion
from tests.conftest import browser_of
from tests.llm_stub import Behaviour
from tests.methods.base import factory
from tests.runs.engine import factory as engine
from tests.runs.engine.conftest import stub  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def task():
    """A task without a rubric, for which the client chose Ann and Ben."""
    made = engine.external_task(lines=0, answer_form="selection")
    factory.select(made, chosen=("ann", "ben"))
    return made


@pytest.fixture
def model(stub, settings):  # noqa: F811
    from judge.asking.calls import model_client

    return model_client.chosen("openai:judge-1")


def lines(task):
    rows = Criterion.objects.filter(version__task=task).order_by("position")
    return [(row.text, row.importance, row.weight) for row in rows]


def test_one_question_for_each_chosen_profile_and_one_for_them_all(task, model, stub):  # noqa: F811
    draft_for(task, model)
    assert stub.calls == 3
    assert Call.objects.filter(purpose=Call.Purpose.DRAFT, task=task, error="").count() == 3
    last = json.dumps(stub.requests[-1].body)
    assert "It is Name: Ann." in last
    assert "It is Name: Ben." in last
    # The third condition of the stub's reply has the weight 11, so it is refused.
    assert lines(task) == [
        ("Posts in French", "essential", 9), ("Has 10,000 followers", "optional", 4),
    ]  # fmt: skip


def test_the_reasons_stay_beside_the_lines(task, model, staff):
    draft_for(task, model)
    assert dict(ConditionReason.objects.values_list("criterion__text", "reason")) == {
        "Posts in French": "All do.",
        "Has 10,000 followers": "Most have.",
    }
    shown = browser_of(staff).get(f"/tasks/{task.pk}/selection/").content.decode()
    assert "Most have." in shown


def test_an_unusable_description_or_reply_leaves_the_rules_to_draft(task, model, stub):  # noqa: F811
    stub.script(Behaviour("ok", text="I would rather not."))
    made = draft_for(task, model)
    assert made.drafted_by != model.label
    assert "no JSON" in made.problem or "reply" in made.problem.lower()
    assert ("language: fr", "essential", 8) in lines(task)


def test_the_offline_rules_draft_without_a_key(task, capsys):
    call_command("draft_rubrics", provider="offline")
    assert ("language: fr", "essential", 8) in lines(task)


def test_a_task_without_an_outcome_is_drafted_as_usual(model, stub):  # noqa: F811
    made = engine.external_task(lines=0, answer_form="selection")
    factory.select(made)
    draft_for(made, model)
    assert stub.calls == 1
    assert not ConditionReason.objects.exists()


def test_rules_take_what_is_shared_and_leave_dates_and_blanks_out():
    chosen = [
        {"language": "fr", "topic": ["hiking", "food"], "followers": 3, "joined": "2024-05-01"},
        {"language": "fr", "topic": ["hiking"], "followers": 9, "joined": "2024-05-01", "x": ""},
        {"language": "fr", "topic": ["sailing"], "followers": 5, "joined": "2024-05-01"},
    ]
    found = drafted_by_rules(chosen)
    assert [row["condition"] for row in found["necessary"]] == ["language: fr"]
    assert [row["condition"] for row in found["flexible"]] == ["topic: hiking", "followers: 3 – 9"]
