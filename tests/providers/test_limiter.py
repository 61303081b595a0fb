"""One limiter per key: it learns how much an account bears, and a pause is everybody's."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from judge.providers import ErrorKind, ProviderError, get
from judge.providers.retry import Limiter, call_with_retries, limiter_for
from tests.providers.conftest import ask

SLOW_DOWN = ProviderError(ErrorKind.RATE_LIMITED, "slow down")


class Clock:
    def __init__(self) -> None:
        self.time = 100.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


def call(limiter: Limiter, error: ProviderError | None = None) -> None:
    with limiter.slot() as slot:
        slot.failed(error) if error else slot.succeeded()


def test_a_rate_limit_halves_it_and_successes_bring_it_back_fast_then_slowly():
    limiter = Limiter(16, step=3)
    call(limiter, SLOW_DOWN)
    assert limiter.limit == 8
    for _ in range(6):
        call(limiter)
    assert limiter.limit == 14  # seven eighths of where it was refused
    for _ in range(3):
        call(limiter)
    assert limiter.limit == 15
    for _ in range(30):
        call(limiter)
    assert limiter.limit == 16


def test_refusal_after_refusal_lowers_the_place_where_probing_begins():
    limiter = Limiter(64, step=100)
    found = []
    for _ in range(5):
        call(limiter, SLOW_DOWN)
        for _ in range(60):
            call(limiter)
        found.append(limiter.limit)
    assert found == [56, 49, 43, 38, 34]


def test_it_never_falls_below_one():
    limiter = Limiter(8)
    for _ in range(10):
        call(limiter, SLOW_DOWN)
    assert limiter.limit == 1


def test_a_burst_of_refusals_halves_it_once():
    limiter = Limiter(8)
    with limiter.slot() as one, limiter.slot() as two, limiter.slot() as three:
        for slot in (one, two, three):
            slot.failed(SLOW_DOWN)
    assert limiter.limit == 4


@pytest.mark.parametrize("kind", [ErrorKind.SERVER, ErrorKind.TIMEOUT, ErrorKind.CONNECTION])
def test_other_failures_do_not_shrink_it(kind):
    limiter = Limiter(8)
    call(limiter, ProviderError(kind, "broken"))
    assert limiter.limit == 8


def test_a_pause_holds_everybody_until_it_is_over():
    clock = Clock()
    limiter = Limiter(8, now=clock.now, sleep=clock.sleep)
    call(limiter, ProviderError(ErrorKind.RATE_LIMITED, "slow down", retry_after=30))
    with limiter.slot():
        assert clock.time >= 130
    assert clock.slept == [30]


def test_a_shorter_pause_does_not_end_a_longer_one():
    clock = Clock()
    limiter = Limiter(8, now=clock.now, sleep=clock.sleep)
    with limiter.slot() as one, limiter.slot() as two:
        one.failed(ProviderError(ErrorKind.RATE_LIMITED, "", retry_after=30))
        two.failed(ProviderError(ErrorKind.SERVER, "", retry_after=5))
    with limiter.slot():
        assert clock.time == 130


def test_a_pause_nobody_has_patience_for_is_not_imposed_on_others():
    clock = Clock()
    limiter = Limiter(8, now=clock.now, sleep=clock.sleep)
    with limiter.slot() as slot:
        error = ProviderError(ErrorKind.RATE_LIMITED, "", retry_after=86_400)
        slot.failed(error, patience=300)
    with limiter.slot():
        assert clock.slept == []


def test_no_more_calls_run_at_once_than_it_allows(stub):
    stub.latency = 0.02
    limiter = Limiter(3)

    def one(n: int) -> None:
        call_with_retries(
            get("openai"), ask(f"{n}"), model="m", parameters={}, timeout=5, limiter=limiter
        )

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(one, range(24)))
    assert stub.calls == 24
    assert stub.max_concurrency == 3
    assert limiter.running == 0


def test_a_waiting_thread_gets_the_place_another_gives_back():
    limiter = Limiter(1)
    order: list[str] = []
    held = limiter.slot()
    held.__enter__()

    def second() -> None:
        with limiter.slot():
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    order.append("first")
    held.__exit__(None, None, None)
    thread.join(timeout=5)
    assert order == ["first", "second"]


def test_one_account_has_one_limiter_and_keeps_the_highest_ceiling(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "limiter-test-1")
    one = limiter_for(get("openai"), ceiling=4)
    assert limiter_for(get("openai"), ceiling=6) is one
    assert one.limit == 6
    assert limiter_for(get("openai"), ceiling=2).limit == 6
    monkeypatch.setenv("OPENAI_API_KEY", "limiter-test-2")
    assert limiter_for(get("openai"), ceiling=2) is not one
