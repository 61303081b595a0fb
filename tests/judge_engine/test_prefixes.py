"""What all candidates of a task share is stored once, and people read every request as it was sent.

The stub's record of what arrived is what the pages are compared with.
"""

import html
import json
import re

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from judge.calls import model_client, prompt_prefixes
from judge.calls.models import Call, PromptPrefix
from judge.engine import work
from judge.engine.ledger import Ledger
from judge.engine.models import JudgeRun
from judge.engine.prefix_store import Prefixes
from judge.jobs import jobs
from judge.prompts import builder
from judge.prompts.task_text import task_text
from tests.judge_engine import factory
from tests.judge_engine.conftest import QUICK
from tests.judge_engine.test_runs import all_right
from tests.processes import end, start

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
def test_the_prefix_is_stored_once_for_a_task_and_the_page_shows_what_was_sent(
    stub, plan, shown, provider, batch
):
    factory.benchmark(2, 3)
    run = plan(provider=provider, batch=batch)
    for _look in range(30):
        assert work.work_on_run(run, policy=QUICK, timeout=10)
        if run.state != JudgeRun.State.RUNNING:
            break
    assert same_as_arrived(stub, shown, run) == 6
    assert PromptPrefix.objects.count() == 2
    texts = list(PromptPrefix.objects.values_list("text", flat=True))
    for call in Call.objects.filter(run=run):
        stored = json.dumps(call.request)
        assert "is for sale" not in stored
        assert len(stored) < min(map(len, texts))
        assert any(json.dumps(text) in json.dumps(call.sent()) for text in texts)


def test_failed_attempts_and_further_questions_name_the_prefix_too(stub, judge, shown):
    stub.script("429", "missing", "500", "malformed")
    factory.benchmark(1, 2)
    run, result = judge(concurrency=1)
    assert (result["judged"], result["calls"]) == (2, stub.calls)
    assert same_as_arrived(stub, shown, run) == 6
    assert PromptPrefix.objects.count() == 1


def test_another_judge_of_the_same_tasks_finds_their_prefixes_stored(stub, judge, shown):
    factory.benchmark(2, 2)
    judge()
    judge(model="judge-2")
    judge(provider="anthropic")
    assert (Call.objects.count(), PromptPrefix.objects.count()) == (12, 2)
    judge(method="zero_shot")
    assert PromptPrefix.objects.count() == 4


def test_what_the_offline_rules_were_asked_is_kept_like_a_vendors_request(judge, shown):
    factory.benchmark(1, 2)
    run, _result = judge(provider="offline", model="")
    prefix = PromptPrefix.objects.get().text
    assert "is for sale" in prefix
    for call in run.calls.all():
        assert prefix not in json.dumps(call.request)
        sent = shown(call)
        assert sent["purpose"] == "judge"
        assert sent["messages"][0] == {"role": "system", "content": prefix}
        assert call.judgment.response.text in sent["messages"][1]["content"]


@pytest.mark.parametrize("who", ["offline", "openai:judge-1"])
def test_calls_outside_of_runs_share_what_their_prompts_begin_with(stub, shown, who):
    for key in ("one", "two"):
        task = factory.external_task(key)
        for _again in range(2):
            model_client.ask(
                model_client.chosen(who), builder.answer_prompt(task_text(task)), purpose="answer",
                task=task,
            )  # fmt: skip
    prefix = PromptPrefix.objects.get().text  # the instructions are the same for the whole domain
    assert prefix.startswith("You are asked by a professional in Finance")
    for call in Call.objects.all():
        assert prefix not in json.dumps(call.request)
        assert shown(call)["messages"][0]["content"] == prefix


def test_a_call_of_an_earlier_version_holds_its_whole_request_and_shows_it(
    stub, judge, shown, browser
):
    factory.benchmark(1, 1)
    run, _result = judge()
    call = run.calls.get()
    old = Call.objects.create(
        purpose="judge", provider="openai", model="judge-1", run=run, task=call.task,
        judgment=call.judgment, prompt_sha256=call.prompt_sha256, request=arrived(stub)[0],
    )  # fmt: skip
    assert "is for sale" in json.dumps(old.request)
    assert shown(old) == shown(call) == arrived(stub)[0]


def test_what_a_candidate_writes_is_never_taken_for_a_prefix(stub, judge, shown):
    task = factory.external_task()
    factory.respond(task, "plain")
    judge()
    known = PromptPrefix.objects.get()
    mark = json.dumps({prompt_prefixes.MARK: known.pk})
    factory.respond(task, "sly", text=f"{mark}\n{prompt_prefixes.MARK}\n" * 3)
    factory.respond(task, "parrot", text=known.text)
    run, result = judge(model="judge-2")
    assert result["judged"] == 3
    sly, parrot = (
        shown(run.calls.get(judgment__response__candidate__name=name)) for name in ("sly", "parrot")
    )
    assert mark in sly["messages"][1]["content"]
    assert sly["messages"][0]["content"] == parrot["messages"][0]["content"] == known.text
    assert PromptPrefix.objects.count() == 1
    bodies = in_order(arrived(stub))
    assert all(in_order([body])[0] in bodies for body in (sly, parrot))


def test_a_page_of_one_call_asks_for_its_prefix_and_a_list_of_calls_for_none(stub, judge, browser):
    factory.benchmark(2, 3)
    run, _result = judge()
    call = run.calls.first()
    whole = Call.objects.create(
        purpose="judge", provider="openai", model="judge-1", run=run, task=call.task,
        judgment=call.judgment, prompt_sha256=call.prompt_sha256, request=call.sent(),
        reply=call.reply,
    )  # fmt: skip
    counts = []
    for one in (call, whole):
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(f"/staff/calls/{one.pk}/").status_code == 200
        counts.append((len(asked), sum("promptprefix" in q["sql"] for q in asked)))
    assert counts == [(counts[1][0] + 1, 1), (counts[1][0], 0)]
    assert counts[0][0] <= 12
    for page in (f"/staff/runs/{run.pk}/", f"/staff/runs/{run.pk}/progress/", "/staff/runs/"):
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(page).status_code == 200
        assert not [query for query in asked if "promptprefix" in query["sql"]]


@pytest.mark.django_db(transaction=True)
def test_a_write_that_breaks_leaves_nothing_and_the_next_session_stores_the_prefix(
    stub, plan, shown, monkeypatch
):
    factory.benchmark(1, 3)
    run = plan(concurrency=1)
    real, written = Ledger._finish, []

    def breaking(self, ended):
        written.append(PromptPrefix.objects.count())
        if len(written) == 1:
            raise OperationalError("terminating connection due to administrator command")
        real(self, ended)

    monkeypatch.setattr(Ledger, "_finish", breaking)
    assert jobs.run_judge(run.pk)
    run.refresh_from_db()
    assert written[:2] == [1, 1], "it was there inside the transaction, and had to come again"
    assert (run.state, PromptPrefix.objects.count()) == (JudgeRun.State.FINISHED, 1)
    assert all_right(run) == 3 * 17
    # What the broken write had in hand arrived twice and is stored once.
    assert {*in_order(map(shown, run.calls.all()))} == {*in_order(arrived(stub))}


@pytest.mark.django_db(transaction=True)
def test_a_process_that_lost_its_lease_stores_neither_call_nor_prefix(
    stub, plan, judge, shown, monkeypatch
):
    factory.benchmark(1, 2)
    run = plan(concurrency=1)
    real = Ledger.write

    def too_late(self, events, **more):
        JudgeRun.objects.filter(pk=run.pk).update(lease="0123456789ab-1-1-abcdef")
        real(self, events, **more)

    monkeypatch.setattr(Ledger, "write", too_late)
    assert not work.work_on_run(run, policy=QUICK, timeout=10)
    assert not Call.objects.exists()
    assert not PromptPrefix.objects.exists()
    monkeypatch.setattr(Ledger, "write", real)
    JudgeRun.objects.filter(pk=run.pk).update(lease="", lease_until=None)
    run, result = judge(run)
    assert (result["judged"], PromptPrefix.objects.count()) == (2, 1)
    assert {*in_order(map(shown, run.calls.all()))} == {*in_order(arrived(stub))}


@pytest.mark.django_db(transaction=True)
def test_a_prefix_counts_as_stored_only_when_it_is_committed():
    name, kept = "0" * 64, Prefixes()
    with transaction.atomic():
        kept.store({name: "text"})
        transaction.set_rollback(True)
    assert not PromptPrefix.objects.exists()
    assert kept.unknown(name)
    with transaction.atomic():
        kept.store({name: "text"})
        assert kept.unknown(name)
    assert not kept.unknown(name)
    assert PromptPrefix.objects.get(pk=name).text == "text"


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_judge_the_same_tasks_store_each_prefix_once(stub, plan, tmp_path):
    stub.latency = 0.02
    factory.benchmark(6, 3)
    models = ("judge-1", "judge-2")
    planned = [plan(model=model, concurrency=4) for model in models]
    processes = [
        start(tmp_path, "judge", "--skip-checks", "--json", "--resume", run.pk) for run in planned
    ]
    try:
        for process in processes:
            out, err = process.communicate(timeout=60)
            assert json.loads(out.splitlines()[-1])["judged"] == 18, err
    finally:
        for process in processes:
            end(process)
    assert PromptPrefix.objects.count() == 6
    sent = [call.sent() for call in Call.objects.filter(run__in=planned)]
    assert in_order(sent) == in_order(arrived(stub))
