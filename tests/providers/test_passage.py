"""What is held while a call is on the wire, and no longer."""

import pytest

from judge.providers import get
from judge.providers.base import ErrorKind, ProviderError
from judge.providers.call_timing import through
from judge.providers.retry import Limiter, call_with_retries
from tests.llm_stub import Behaviour
from tests.providers.conftest import ask

VENDORS = ("openai", "anthropic")


class Noted:
    """A door that notes what the server has seen when it is entered and left."""

    def __init__(self, stub, refusal: Exception | None = None) -> None:
        self.stub, self.refusal = stub, refusal
        self.seen: list[tuple[str, int, int]] = []

    def note(self, step: str) -> None:
        stats = self.stub.stats()
        self.seen.append((step, stats["calls"], stats["running"]))

    def enter(self) -> None:
        self.note("entered")
        if self.refusal:
            raise self.refusal

    def leave(self) -> None:
        self.note("left")


def call(vendor, door, *, timeout=5.0):
    with through(door):
        return get(vendor).complete(ask("An answer."), model="m", parameters={}, timeout=timeout)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_place_is_taken_before_a_call_is_sent_and_given_back_after_its_reply(vendor, stub):
    door = Noted(stub)
    call(vendor, door)
    assert [(step, calls) for step, calls, _running in door.seen] == [("entered", 0), ("left", 1)]


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("fault", ["500", "drop", "cut", "html", "hold"])
def test_a_place_is_given_back_once_whatever_comes_of_the_call(vendor, fault, stub):
    stub.script(Behaviour(fault))
    door = Noted(stub)
    with pytest.raises(ProviderError):
        call(vendor, door, timeout=0.2)
    assert [step for step, _calls, _running in door.seen] == ["entered", "left"]


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_a_door_refuses_is_not_sent_and_reaches_the_caller_as_it_is(vendor, stub):
    outer = Noted(stub)
    with pytest.raises(LookupError, match="not today"), through(outer):
        call(vendor, Noted(stub, LookupError("not today")))
    assert stub.calls == 0
    assert [step for step, _calls, _running in outer.seen] == ["entered", "left"]


@pytest.mark.parametrize("vendor", VENDORS)
def test_waiting_for_a_place_is_not_part_of_a_calls_duration(vendor, stub, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("judge.providers.call_timing.time.monotonic", lambda: clock[0])

    class Slow:
        def enter(self) -> None:
            clock[0] += 1000

        def leave(self) -> None:
            clock[0] += 1000

    assert call(vendor, Slow(), timeout=5000).seconds == 0


def test_a_limiter_may_be_entered_only_when_the_request_is_ready(stub):
    limiter = Limiter(1)
    running: list[int] = []
    for on_the_wire in (False, True):
        call_with_retries(
            get("openai"), ask("An answer."), model="m", parameters={}, timeout=5,
            limiter=limiter, on_the_wire=on_the_wire,
            on_attempt=lambda attempt: running.append(limiter.running),
        )  # fmt: skip
    # Told before the call and after it: the place is held before, or not yet.
    assert running == [1, 0, 0, 0]
    stub.script("429")
    with pytest.raises(ProviderError) as refused:
        get("openai").complete(ask("Again."), model="m", parameters={}, timeout=5)
    assert refused.value.kind is ErrorKind.RATE_LIMITED
    assert limiter.running == 0
