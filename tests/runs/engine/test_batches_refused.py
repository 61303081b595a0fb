"""What the vendors' batch services do besides answering: limits, refusals, things that are gone."""

from datetime import timedelta

import pytest
from django.utils import timezone

from judge.asking.providers.batches.openai import OpenAIBatches
from judge.base.queue.failing import failing_work
from judge.base.queue.models import MachineWork
from judge.jobs import jobs
from judge.runs.engine.batches import batches
from judge.runs.engine.batches.models import Batch, BatchLine
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK
from tests.runs.engine.test_runs import all_right

pytestmark = pytest.mark.django_db
VENDORS = ("openai", "anthropic")


def look(run):
    assert work_on_run(run, policy=QUICK, timeout=10)
    return run.state


def look_until_it_ends(run, most=30):
    for _ in range(most):
        if look(run) != "running":
            break
    return run.state


def sizes(stub):
    return [len(made.lines) for made in stub.desk.batches.values()]


def test_a_full_queue_is_waited_for_and_asked_for_less(stub, plan, monkeypatch):
    stub.desk.script.extend(["full", "full"])
    factory.benchmark(2, 5)
    run = plan(batch=True)
    assert [look(run) for _ in range(3)] == ["running"] * 3
    assert (sizes(stub), stub.calls, run.lease) == ([10], 0, "")  # it rests, and asks nothing live
    monkeypatch.setattr(batches, "RETRY_FULL_AFTER", timedelta(0))
    assert look_until_it_ends(run) == "finished"
    assert (sizes(stub)[:4], stub.calls) == ([10, 5, 2, 2], 0)
    assert sum(sizes(stub)[2:]) == 10
    assert all_right(run) == 10 * 17
    assert set(Batch.objects.values_list("state", flat=True)) == {"failed", "collected"}


def test_a_queue_too_full_for_one_question_rests_the_run_with_the_providers_words(
    stub, plan, monkeypatch
):
    monkeypatch.setattr(batches, "RETRY_FULL_AFTER", timedelta(0))
    stub.desk.script.extend(["full"] * 9)
    factory.benchmark(1, 3)
    run = plan(batch=True)
    assert look_until_it_ends(run) == "paused"
    assert "Enqueued token limit reached" in run.why
    assert (sizes(stub), stub.calls) == ([3, 1], 0)


def test_a_batch_holds_no_more_bytes_than_a_provider_takes(stub, plan, monkeypatch):
    factory.benchmark(2, 3)
    run = plan(batch=True, max_calls=6)
    monkeypatch.setattr(batches, "MOST_BYTES", 30_000)
    assert look_until_it_ends(run) == "finished"
    assert len(sizes(stub)) > 1
    assert sum(sizes(stub)) == 6
    for _name, content in [f for f in stub.desk.files.values() if f[0].startswith("assay")]:
        assert len(content) < 33_000
    assert (run.calls_started, all_right(run)) == (6, 6 * 17)


def test_one_question_larger_than_a_batch_goes_alone(stub, plan, monkeypatch):
    factory.benchmark(1, 2)
    run = plan(batch=True)
    monkeypatch.setattr(batches, "MOST_BYTES", 10)
    assert look_until_it_ends(run) == "finished"
    assert sizes(stub) == [1, 1]


def test_a_file_that_is_not_known_yet_is_tried_again_and_not_sent_twice(stub, plan):
    stub.desk.unknown_files = 2
    factory.benchmark(1, 3)
    run = plan(batch=True)
    assert look_until_it_ends(run) == "finished"
    assert sizes(stub) == [3]
    assert [name.startswith("assay") for name, _c in stub.desk.files.values()].count(True) == 1


def test_a_file_nobody_there_ever_knows_rests_the_run(stub, plan):
    stub.desk.unknown_files = 9
    factory.benchmark(1, 3)
    run = plan(batch=True)
    assert look(run) == "running"
    Batch.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert look(run) == "paused"
    assert "Cannot find file" in run.why


@pytest.mark.parametrize("provider", VENDORS)
def test_a_model_refused_inside_a_batch_pauses_the_run_and_fails_no_response(stub, plan, provider):
    stub.desk.script.append("revoked")
    factory.benchmark(2, 3)
    run = plan(batch=True, provider=provider)
    assert look_until_it_ends(run) == "paused"
    assert "no such model" in run.why
    result = lifecycle.summary(run)
    assert (result["judged"], result["failed"], result["waiting"]) == (4, 0, 2)
    lifecycle.continue_run(actor=None, run=run)
    assert look_until_it_ends(run) == "finished"
    assert (lifecycle.summary(run)["judged"], sizes(stub), stub.calls) == (6, [6, 2], 0)


def test_answers_that_come_later_than_the_end_are_waited_for(stub, plan):
    stub.desk.script.append("late")
    factory.benchmark(1, 3)
    run = plan(batch=True)
    assert look_until_it_ends(run) == "finished"
    assert (sizes(stub), stub.calls) == ([3], 0)


def test_lines_of_any_shape_lose_only_themselves(stub, plan):
    stub.desk.script.append("odd")
    factory.benchmark(3, 4)
    run = plan(batch=True)
    assert look_until_it_ends(run) == "finished"
    assert (sizes(stub), stub.calls) == ([12, 4], 0)
    assert all_right(run) == 12 * 17


@pytest.mark.parametrize("provider", VENDORS)
def test_a_batch_that_is_gone_pauses_the_run_until_it_cannot_come_back(stub, plan, provider):
    factory.benchmark(1, 3)
    run = plan(batch=True, provider=provider)
    stub.desk.looks = 99
    look(run)
    stub.desk.batches.clear()  # as with the key of another project
    assert look(run) == "paused"
    assert "found" in run.why
    assert BatchLine.objects.filter(state="waiting").count() == 3  # nothing is paid for twice
    Batch.objects.update(created_at=timezone.now() - timedelta(days=30))
    lifecycle.continue_run(actor=None, run=run)
    stub.desk.looks = 1
    assert look_until_it_ends(run) == "finished"
    assert (lifecycle.summary(run)["judged"], stub.calls) == (3, 0)


@pytest.mark.parametrize("provider", VENDORS)
@pytest.mark.parametrize("fate", ["ended", "gone"])
def test_a_batch_that_cannot_be_cancelled_any_more_holds_nothing_back(stub, plan, provider, fate):
    factory.benchmark(1, 3)
    run = plan(batch=True, provider=provider)
    look(run)
    if fate == "gone":
        stub.desk.batches.clear()
    else:
        for made in stub.desk.batches.values():
            made.looks = 99
    lifecycle.cancel_run(actor=None, run=run)
    assert jobs.call_off_batches(run.pk)
    assert Batch.objects.get().state == "cancelled"
    assert not BatchLine.objects.filter(state="waiting").exists()
    assert jobs.due() == []


def test_a_batch_the_provider_will_not_end_now_is_tried_again(stub, plan, monkeypatch):
    factory.benchmark(1, 3)
    run = plan(batch=True)
    stub.desk.looks = 99
    look(run)
    lifecycle.cancel_run(actor=None, run=run)
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert not jobs.call_off_batches(run.pk)
    (failed,) = failing_work()
    assert (failed.url, failed.failures) == (f"/staff/runs/{run.pk}/", 1)
    assert jobs.due() == []
    MachineWork.objects.update(updated_at=failed.next_at - timedelta(hours=1))
    assert jobs.due() == [(jobs.call_off_batches, run.pk)]


@pytest.mark.parametrize("found", [False, True])
def test_a_batch_that_may_be_somebody_elses_is_never_cancelled(stub, plan, found):
    """Anthropic's carry no name of ours: one is recognised by its size, until it is answered."""
    factory.benchmark(1, 3)
    run = plan(batch=True, provider="anthropic")
    stub.desk.looks = 99
    stub.desk.lost.add("create")
    look(run)
    if found:
        look(run)
        assert Batch.objects.get().detail == batches.GUESSED
    else:
        assert Batch.objects.get().remote_id == ""
    lifecycle.cancel_run(actor=None, run=run)
    assert jobs.call_off_batches(run.pk)
    assert not any(made.cancelled for made in stub.desk.batches.values())
    assert Batch.objects.get().state == "cancelled"


def test_ours_is_found_behind_a_hundred_others(stub, plan):
    factory.benchmark(1, 3)
    run = plan(batch=True, provider="anthropic")
    stub.desk.lost.add("create")
    stub.desk.page = 2
    look(run)
    for n in range(5):  # made by others meanwhile
        stub.desk.make("msgbatch", [(f"theirs-{n}", {})], {})
    assert look_until_it_ends(run) == "finished"
    assert sizes(stub).count(3) == 1
    assert JudgeRun.objects.get(pk=run.pk).state == "finished"


@pytest.mark.parametrize("provider", VENDORS)
def test_a_parameter_the_vendor_does_not_know_rests_the_run_and_sends_nothing(stub, plan, provider):
    factory.benchmark(1, 3)
    run = plan(batch=True, provider=provider, parameters={"temperatur": 0}, max_calls=9)
    for _again in range(2):  # going on changes nothing about it, and breaks nothing
        assert look(run) == "paused"
        assert "is not asked with a parameter “temperatur”" in run.why
        assert (sizes(stub), stub.calls, Batch.objects.count()) == ([], 0, 0)
        assert (run.calls_started, run.reserved_micro, run.lease) == (0, 0, "")
        lifecycle.continue_run(actor=None, run=run)


def test_a_batch_cancelled_while_it_is_being_sent_is_called_off_when_its_number_is_known(
    stub, plan, monkeypatch
):
    factory.benchmark(1, 3)
    run = plan(batch=True)
    create = OpenAIBatches.create

    def cancelled_meanwhile(*given, **named):
        lifecycle.cancel_run(actor=None, run=JudgeRun.objects.get(pk=run.pk))
        assert jobs.call_off_batches(run.pk)
        return create(*given, **named)

    monkeypatch.setattr(OpenAIBatches, "create", cancelled_meanwhile)
    work_on_run(run, policy=QUICK, timeout=10)
    assert len(stub.desk.batches) == 1
    assert Batch.objects.get().remote_id in stub.desk.batches
    jobs.drain()
    assert Batch.objects.get().state == Batch.State.CANCELLED
    assert all(made.cancelled for made in stub.desk.batches.values())
