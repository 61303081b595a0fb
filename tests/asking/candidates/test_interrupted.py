"""An order is cut off at any moment: every answer is there once, and every call is in its books."""

import threading
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Sum
from django.utils import timezone

from curation.base.web.refusals import Conflict
from judge.asking.calls.models import Call
from judge.asking.candidates import generating as generate
from judge.asking.candidates import ledger
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.models import Response
from judge.asking.providers.openai import OpenAI
from judge.base.queue.models import MachineWork
from judge.jobs import jobs
from judge.results.registry.actions import control_generation, order_responses
from tests import processes
from tests.asking.candidates.conftest import price, states

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def worker(tmp_path, settings):
    """Starts `manage.py work` as a process of its own on the test database."""
    settings.VAR_DIR = tmp_path  # as the process has it: there it is seen whether it lives
    started = []

    def worker() -> processes.Process:
        started.append(processes.start(tmp_path, "work", "--skip-checks"))
        return started[-1]

    yield worker
    for process in started:
        processes.end(process)


@pytest.fixture
def order(staff, larch, tasks):
    """An order of four answers to each of three tasks, four at once; changes can be given."""

    def order(**changes: Any) -> Generation:
        wanted = {"samples": 4, "concurrency": 4} | changes
        return order_responses(actor=staff, candidate=larch, **wanted)

    return order


def books(made: Generation) -> Generation:
    """The order, after its books were found to agree with the calls on record, one by one."""
    made.refresh_from_db()
    calls = Call.objects.filter(purpose="answer")
    assert calls.count() == made.calls
    assert (calls.aggregate(n=Sum("cost_micro"))["n"] or 0) == made.spent_micro
    assert not GenerationItem.objects.filter(reserved_micro__isnull=False).exists()
    return made


def one_response_each(made: Generation) -> None:
    """Every wanted answer has a response of its own, numbered without a gap, and none is over."""
    rows = GenerationItem.objects.filter(generation=made, state="done")
    assert rows.values("response").distinct().count() == rows.count() == Response.objects.count()
    samples = Response.objects.order_by("task__key", "sample").values_list("task__key", "sample")
    wanted = [(f"t{n}", sample) for n in range(3) for sample in range(1, made.samples + 1)]
    assert list(samples) == wanted


def again(made: Generation) -> None:
    """Go on until nothing waits, without waiting for the next attempt's time."""
    for _session in range(20):
        if not Generation.objects.filter(pk=made.pk, state="waiting").exists():
            return
        GenerationItem.objects.filter(state="waiting").update(not_before=timezone.now())
        MachineWork.objects.update(updated_at=made.created_at)
        jobs.generate_responses(made.pk)


def test_an_order_killed_twice_has_every_answer_once_and_keeps_within_its_budget(
    stub, order, worker, staff
):
    price(cached_micro=1_000_000, output_micro=10_000)
    stub.latency = 0.1
    made = order(budget_micro=1_700)
    for calls in (3, 8):
        process = worker()
        processes.until(stub, calls, process)
        processes.kill_with_children(process)
        assert GenerationItem.objects.filter(reserved_micro__isnull=False).exists()
    jobs.drain()
    books(made)
    # What each thread had under way when its process died is charged, and asked again.
    lost = Call.objects.filter(error="interrupted")
    assert 2 <= lost.count() <= 8
    cost = min(Call.objects.values_list("cost_micro", flat=True))
    assert (made.state, made.reason) == ("paused", ledger.OUT_OF_BUDGET)
    assert 0 < stub.calls * cost <= made.spent_micro <= 1_700
    assert stub.calls <= made.calls == states(made)["done"] + lost.count()
    control_generation(actor=staff, generation=made, step="resume", limits={"budget_micro": 10**6})
    again(made)
    books(made)
    one_response_each(made)
    assert made.calls == 12 + lost.count()


def test_a_worker_that_dies_again_and_again_without_an_answer_pauses_the_order(
    stub, order, worker, office, staff
):
    stub.latency = 30
    made = order(concurrency=2)
    process = worker()
    processes.until(stub, 2, process)
    process.kill()
    process.communicate()
    MachineWork.objects.filter(kind="generate").update(attempts=3)  # as after the third time
    assert not jobs.generate_responses(made.pk)
    books(made)
    assert (made.state, made.calls, stub.calls) == ("paused", 2, 2)
    assert "died several times" in office.get(f"/staff/generations/{made.pk}/").content.decode()
    stub.latency = 0
    control_generation(actor=staff, generation=made, step="resume")
    again(made)
    books(made)
    one_response_each(made)
    assert Call.objects.filter(error="interrupted").count() == 2


def test_faults_among_calls_in_parallel_neither_lose_nor_double_an_answer(
    stub, order, staff, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-many-faults")  # its limit starts unlearnt
    price()
    stub.retry_after = "0"
    stub.latency = 0.05
    kinds = ("429", "ok", "truncated", "drop", "ok", "html", "cut", "500", "ok", "filter")
    stub.script(*kinds * 5)
    made = order(samples=10, concurrency=8)
    for _round in range(20):
        again(made)
        if "failed" not in states(made):
            break
        made.refresh_from_db()
        control_generation(actor=staff, generation=made, step="resume")
    books(made)
    one_response_each(made)
    assert (made.state, made.calls) == ("finished", stub.calls)
    seen = set(Call.objects.exclude(error="").values_list("error", flat=True))
    assert {"rate_limited", "server", "truncated", "connection"} <= seen
    assert "broke" not in seen  # the SDK has no trouble that is not foreseen
    assert stub.max_concurrency > 1


def test_as_many_are_asked_at_once_as_ordered_also_more_than_eight(stub, order, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-its-own")  # of which no refusal is known
    real, all_there = OpenAI.complete, threading.Barrier(24, timeout=60)

    def together(self, *args: Any, **more: Any) -> Any:
        all_there.wait()  # breaks where fewer are asked at once
        return real(self, *args, **more)

    monkeypatch.setattr(OpenAI, "complete", together)
    made = order(samples=8, concurrency=24)
    jobs.generate_responses(made.pk)
    books(made)
    assert (states(made), stub.calls) == ({"done": 24}, 24)


def test_a_call_that_breaks_in_its_thread_is_asked_again_and_no_other_is_lost(
    stub, order, monkeypatch
):
    price()
    real, lock, seen = OpenAI.complete, threading.Lock(), []

    def breaking(self, *args: Any, **more: Any) -> Any:
        with lock:
            seen.append(1)
            third = len(seen) == 3
        if third:
            raise RuntimeError("a bug of ours")
        return real(self, *args, **more)

    monkeypatch.setattr(OpenAI, "complete", breaking)
    made = order(budget_micro=10**9)
    again(made)
    books(made)
    one_response_each(made)
    assert (made.calls, stub.calls) == (13, 12)
    broke = Call.objects.get(error="broke")
    assert "a bug of ours" in broke.detail
    assert broke.cost_micro  # nobody knows whether it was billed


def test_when_a_session_breaks_what_its_other_calls_brought_is_kept(stub, order):
    stub.latency = 0.1
    made = order()

    def heartbeat(handled: int) -> None:
        if handled:
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        generate.generate(made, heartbeat=heartbeat)
    books(made)
    assert made.calls == stub.calls == Response.objects.count() == 4
    again(made)
    books(made)
    one_response_each(made)
    assert stub.calls == 12


@pytest.mark.parametrize("failures", [1, 9])
def test_an_answer_that_came_is_stored_though_the_database_fails_for_a_moment(
    stub, order, monkeypatch, failures
):
    made = order()
    real, left = Response.objects.create, [failures]

    def breaking(**values: Any) -> Response:
        if left[0]:
            left[0] -= 1
            raise OperationalError("terminating connection due to administrator command")
        return real(**values)

    monkeypatch.setattr(Response.objects, "create", breaking)
    monkeypatch.setattr("judge.asking.candidates.ledger.RECONNECT", (0.0, 0.0, 0.0))
    again(made)
    books(made)
    one_response_each(made)
    # For a moment costs nothing; for longer, the answers in hand are asked for again.
    assert stub.calls == 12 if failures == 1 else 12 < stub.calls <= 16


def test_an_answer_the_database_refuses_does_not_end_the_others(stub, order, monkeypatch):
    made = order(samples=1)
    real = Response.objects.create

    def refusing(**values: Any) -> Response:
        if values["task_id"] == tasks[0]:
            raise IntegrityError("not this one")
        return real(**values)

    tasks = sorted(GenerationItem.objects.values_list("task", flat=True))
    monkeypatch.setattr(Response.objects, "create", refusing)
    again(made)
    books(made)
    assert states(made) == {"done": 2, "failed": 1}
    assert "not this one" in GenerationItem.objects.get(state="failed").problem
    assert (made.state, made.calls) == ("finished", 2 + 4)


def test_who_was_overtaken_writes_nothing_more(stub, order):
    price()
    stub.latency = 0.05
    made = order()
    overtaken = []

    def heartbeat(handled: int) -> None:
        """While this worker slept its claim ran out, and another one did all there was."""
        if handled and not overtaken:
            overtaken.append(handled)
            again(made)
            raise Conflict("Another worker goes on with this.", code="lease_lost")

    with pytest.raises(Conflict):
        generate.generate(made, heartbeat=heartbeat)
    books(made)
    one_response_each(made)
    lost = Call.objects.filter(error="interrupted").count()
    assert lost == 4 - overtaken[0]
    assert stub.calls == made.calls == 12 + lost


def test_two_orders_of_one_candidate_at_once_number_their_answers_apart(stub, order):
    stub.latency = 0.02
    orders = [order(samples=3), order(samples=3)]

    def work(made: Generation) -> None:
        try:
            jobs.generate_responses(made.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(made,)) for made in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [states(made) for made in orders] == [{"done": 9}, {"done": 9}]
    assert (stub.calls, Call.objects.filter(error="").count()) == (18, 18)
    assert Response.objects.count() == 18


def test_cancelled_while_calls_wait_for_their_place_those_are_never_sent(
    stub, order, staff, monkeypatch
):
    monkeypatch.setattr(generate, "LOOK_EVERY", 0.02)
    stub.script("429")
    stub.retry_after = "0.5"  # so long nobody has a place
    made = order(concurrency=1)
    looks = []

    def heartbeat(handled: int) -> None:
        looks.append(handled)
        if looks.count(1) == 2:  # the second call has been counted, and waits
            assert Generation.objects.get(pk=made.pk).calls == 2
            control_generation(actor=staff, generation=made, step="cancel")

    generate.generate(made, heartbeat=heartbeat)
    books(made)
    assert (made.state, made.calls, stub.calls) == ("cancelled", 1, 1)


@pytest.mark.parametrize(
    "values",
    [
        {"state": "done"},
        {"state": "failed", "problem": "why", "reserved_micro": 1},
        {"state": "failed", "problem": ""},
    ],
)
def test_the_database_itself_refuses_an_answer_in_an_impossible_state(stub, order, values):
    order()
    with pytest.raises(IntegrityError), transaction.atomic():
        GenerationItem.objects.update(**values)


def test_a_response_belongs_to_one_done_answer_alone(stub, order):
    order(samples=1)
    jobs.drain()
    first, second, _third = GenerationItem.objects.order_by("pk")
    for change in ({"state": "waiting"}, {"response": second.response}):
        with pytest.raises(IntegrityError), transaction.atomic():
            GenerationItem.objects.filter(pk=first.pk).update(**change)
