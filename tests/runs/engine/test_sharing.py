"""Several workers, one key: they share what it bears, and each other's refusals."""

from datetime import timedelta

import pytest
from django.utils import timezone

from judge.asking.calls.pool import Sharing
from judge.asking.providers.base import ErrorKind, ProviderError
from judge.asking.providers.limiter import Limiter
from judge.base.queue.models import AccountUse
from judge.runs.engine import work
from judge.runs.engine.models import JudgeRun
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK

pytestmark = pytest.mark.django_db


def worker(name, wanted=64, run=1):
    """The limiter of one process, and its row."""
    limiter = Limiter(wanted)
    return limiter, Sharing(limiter, "openai-abc", wanted=wanted, work=str(run), process=name)


def refuse(limiter, retry_after=None):
    with limiter.slot() as slot:
        slot.failed(ProviderError(ErrorKind.RATE_LIMITED, "slow", retry_after=retry_after))


def exchange(*sharings):
    for sharing in [*sharings, *sharings]:
        sharing.exchange()


def test_two_workers_share_what_one_would_have_and_the_last_has_all_again():
    one, sharing_one = worker("a-1-1")
    two, sharing_two = worker("b-1-1")
    exchange(sharing_one, sharing_two)
    assert (one.limit, two.limit) == (32, 32)
    sharing_two.leave()
    sharing_one.exchange()
    assert one.limit == 64


def test_the_parts_follow_what_the_runs_ask_for():
    one, sharing_one = worker("a-1-1", wanted=48)
    two, sharing_two = worker("b-1-1", wanted=16)
    exchange(sharing_one, sharing_two)
    assert (one.limit, two.limit) == (36, 12)


def test_a_refusal_one_worker_met_slows_the_others_down():
    one, sharing_one = worker("a-1-1")
    two, sharing_two = worker("b-1-1")
    exchange(sharing_one, sharing_two)
    refuse(one)
    exchange(sharing_one, sharing_two)
    assert (one.limit, two.limit) == (16, 16)
    with two.slot() as slot:
        slot.succeeded()
    exchange(sharing_one, sharing_two)
    # What two learnt since stays: one's refusal is known already.
    assert (one.learnt().limit, two.learnt().limit) == (32, 33)


def test_a_pause_one_worker_was_told_holds_the_others():
    one, sharing_one = worker("a-1-1")
    two, sharing_two = worker("b-1-1")
    refuse(one, retry_after=30)
    exchange(sharing_one, sharing_two)
    assert two.learnt().paused_for == pytest.approx(30, abs=1)


def test_a_worker_that_vanished_keeps_its_part_for_ten_seconds_only():
    one, sharing_one = worker("a-1-1")
    _two, sharing_two = worker("b-1-1")
    exchange(sharing_one, sharing_two)
    AccountUse.objects.filter(holder="b-1-1/1").update(seen_at=timezone.now() - timedelta(hours=2))
    sharing_one.exchange()
    assert one.limit == 64
    sharing_one.leave()
    assert not AccountUse.objects.exists()


def test_two_runs_of_one_process_have_one_limiter_and_count_together():
    limiter, first = worker("a-1-1", wanted=30, run=1)
    second = Sharing(limiter, "openai-abc", wanted=30, work="2", process="a-1-1")
    _other, third = worker("b-1-1", wanted=60, run=3)
    exchange(first, second, third)
    assert limiter.limit == 30


@pytest.mark.django_db(transaction=True)
def test_a_run_beside_another_workers_keeps_to_its_part(stub, plan):
    stub.latency = 0.05
    factory.benchmark(4, 4)
    run = plan(concurrency=8)
    limiter, other = worker("b-1-1", wanted=24)
    # The name of the key in use is the same in every process.
    from judge.asking import providers

    other.account = providers.get("openai").account
    other.exchange()
    assert work.work_on_run(run, policy=QUICK, timeout=10)
    assert stub.max_concurrency <= 6  # a quarter of 24
    assert run.state == JudgeRun.State.FINISHED
    assert AccountUse.objects.count() == 1
