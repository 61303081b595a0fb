"""One limiter per key: it learns how much an account bears, and a pause is everybody's."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from judge.asking.providers import get
from judge.asking.providers.base import ErrorKind, ProviderError
from judge.asking.providers.limiter import Limiter, limiter_for
from judge.asking.providers.retry import call_with_retries
from tests.asking.providers.conftest import ask

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


def until(true: Callable[[], bool]) -> None:
    """Wait until something other threads do has come true."""
    for _ in range(5_000):
        if true():
            return
        threading.Event().wait(0.001)
    raise AssertionError("it did not come true in five seconds")


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


def test_whoever_has_waited_longest_is_next_even_where_the_last_one_comes_back_at_once():
    limiter = Limiter(1)
    order: list[str] = []

    def wait(name: str) -> None:
        with limiter.slot():
            order.append(name)

    mine = limiter.slot()
    mine.enter()
    threads = []
    for n, name in enumerate(("second", "third"), start=1):
        threads.append(threading.Thread(target=wait, args=(name,)))
        threads[-1].start()
        until(lambda n=n: limiter.waiting == n)
    mine.leave()
    mine.enter()
    order.append("the first again")
    mine.leave()
    for thread in threads:
        thread.join(5)
    assert order == ["second", "third", "the first again"]


def test_whoever_is_interrupted_in_a_pause_leaves_no_place_behind():
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    clock = Clock()
    limiter = Limiter(1, now=clock.now, sleep=interrupted)
    call(limiter, ProviderError(ErrorKind.SERVER, "", retry_after=30))
    with pytest.raises(KeyboardInterrupt):
        limiter.enter()
    assert (limiter.running, limiter.waiting) == (0, 0)
    clock.time += 30
    with limiter.slot():
        assert limiter.running == 1


def test_a_place_that_is_given_back_twice_is_an_error_and_not_one_place_more():
    limiter = Limiter(1)
    slot = limiter.slot()
    slot.enter()
    slot.leave()
    with pytest.raises(RuntimeError, match="twice"):
        slot.leave()
    assert limiter.running == 0


def test_those_who_wait_through_a_pause_go_on_as_many_as_are_allowed_after_it():
    clock = Clock()
    over, leave = threading.Event(), threading.Event()
    asleep = threading.Semaphore(0)
    limiter = Limiter(4, now=clock.now, sleep=lambda seconds: (asleep.release(), over.wait(5)))
    inside: list[float] = []

    def one() -> None:
        with limiter.slot():
            inside.append(clock.time)
            leave.wait(5)

    held = [limiter.slot() for _ in range(4)]
    for slot in held:
        slot.enter()
    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    until(lambda: limiter.waiting == 6)
    held[0].failed(ProviderError(ErrorKind.SERVER, "", retry_after=30))
    for slot in held[1:]:
        slot.leave()  # three others are next, and sit the pause out
    held[0].failed(ProviderError(ErrorKind.RATE_LIMITED, "slow down"))
    held[0].leave()
    for _ in range(3):
        assert asleep.acquire(timeout=5)
    assert inside == [], "nobody calls during the pause"
    clock.time += 30
    over.set()
    until(lambda: len(inside) == 2 and limiter.waiting == 4)
    assert limiter.running == 2, "the refusal halved the number"
    leave.set()
    for thread in threads:
        thread.join(5)
    assert inside == [130.0] * 6
    assert (limiter.running, limiter.waiting) == (0, 0)


def test_one_account_has_one_limiter_and_keeps_the_highest_ceiling(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "limiter-test-1")
    one = limiter_for(get("openai"), ceiling=4)
    assert limiter_for(get("openai"), ceiling=6) is one
    assert one.limit == 6
    assert limiter_for(get("openai"), ceiling=2).limit == 6
    monkeypatch.setenv("OPENAI_API_KEY", "limiter-test-2")
    assert limiter_for(get("openai"), ceiling=2) is not one
