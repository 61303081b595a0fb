"""Every request is stored as it was sent, and people read it as it was sent.

The stub's record of what arrived is what the pages are compared with.
"""

import html
import json
import re

import pytest
from django.db import OperationalError

from judge.asking.calls import model_client
from judge.asking.calls.models import Call
from judge.asking.prompts import builder
from judge.asking.prompts.task_text import task_text
from judge.jobs import jobs
from judge.runs.engine import ends, work
from judge.runs.engine.models import JudgeRun
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db
VENDORS = ("openai", "anthropic")
SENT = re.compile(r'<pre[^>]* id="raw-request"[^>]*>(.*?)</pre>', re.DOTALL)


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


@pytest.fixture
def shown(browser):
    """Reads what a call's page says was sent."""

    def shown(call):
        page = browser.get(f"/staff/calls/{call.pk}/").content.decode()
        return json.loads(html.unescape(SENT.search(page)[1]))

    return shown


def arrived(stub):
    """What the stub received, live and in batches."""
    live = [recorded.body for recorded in stub.requests]
    return live + [body for batch in stub.desk.batches.values() for _name, body in batch.lines]


def in_order(bodies):
    return sorted(json.dumps(body, sort_keys=True) for body in bodies)


def same_as_arrived(stub, shown, run):
    """Every call's page shows what the stub received; how many calls there are."""
    found = [shown(call) for call in Call.objects.filter(run=run)]
    assert in_order(found) == in_order(arrived(stub))
    return len(found)


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("provider", VENDORS)
def test_the_page_of_a_call_shows_what_was_sent(stub, plan, shown, provider, batch):
    factory.benchmark(2, 3)
    run = plan(provider=provider, batch=batch)
    for _look in range(30):
        assert work.work_on_run(run, policy=QUICK, timeout=10)
        if run.state != JudgeRun.State.RUNNING:
            break
    assert same_as_arrived(stub, shown, run) == 6


def test_failed_attempts_and_further_questions_are_stored_whole_too(stub, judge, shown):
    stub.script("429", "missing", "500", "malformed")
    factory.benchmark(1, 2)
    run, result = judge(concurrency=1)
    assert (result["judged"], result["calls"]) == (2, stub.calls)
    assert same_as_arrived(stub, shown, run) == 6


def test_what_the_offline_rules_were_asked_is_kept_like_a_vendors_request(judge, shown):
    factory.benchmark(1, 2)
    run, _result = judge(provider="offline", model="")
    for call in run.calls.all():
        sent = shown(call)
        assert sent["purpose"] == "judge"
        assert sent["messages"][0]["role"] == "system"
        assert "is for sale" in sent["messages"][0]["content"]
        assert call.judgment.response.text in sent["messages"][1]["content"]


@pytest.mark.parametrize("who", ["offline", "openai:judge-1"])
def test_calls_outside_of_runs_are_stored_whole_too(stub, shown, who):
    task = factory.external_task("one")
    prompt = builder.answer_prompt(task_text(task))
    model_client.ask(model_client.chosen(who), prompt, purpose="answer", task=task)
    sent = shown(Call.objects.get())
    assert [message["content"] for message in sent["messages"]] == [prompt.prefix, prompt.suffix]


@pytest.mark.django_db(transaction=True)
def test_what_a_broken_write_had_in_hand_comes_again_and_is_stored_once(
    stub, plan, shown, monkeypatch
):
    factory.benchmark(1, 3)
    run = plan(concurrency=1)
    real, written = ends.store, []

    def breaking(run, ended):
        written.append(Call.objects.count())
        if len(written) == 1:
            raise OperationalError("terminating connection due to administrator command")
        real(run, ended)

    monkeypatch.setattr(ends, "store", breaking)
    assert jobs.run_judge(run.pk)
    run.refresh_from_db()
    assert written[:2] == [1, 1], "the broken transaction left nothing"
    assert run.state == JudgeRun.State.FINISHED
    assert all_right(run) == 3 * 17
    assert {*in_order(map(shown, run.calls.all()))} == {*in_order(arrived(stub))}
