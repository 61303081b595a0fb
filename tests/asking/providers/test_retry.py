"""The loop that repeats a call, without a second of waiting."""

import pytest

from judge.asking.providers import get
from judge.asking.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop, Usage
from judge.asking.providers.limiter import Limiter
from judge.asking.providers.retry import Attempt, Event, Policy, call_with_retries
from tests.asking.providers.conftest import ask
from tests.llm_stub import Behaviour, Stub

WHOLE = Reply("{}", Stop.COMPLETE, Usage(1, 0, 1), {}, "{}", 0.1, None)


class Scripted:
    """A real provider that answers what it was told to, and fails when asked for more."""

    name = label = account = "scripted"
    offline = False

    def __init__(self, *outcomes: ProviderError | Reply) -> None:
        self.outcomes = list(outcomes)
        self.calls = 0

    def configured(self) -> bool:
        return True

    def family(self, model: str) -> str:
        return self.name

    def complete(self, prompt: Prompt, **how) -> Reply:
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, ProviderError):
            raise outcome
        return outcome


def fail(kind: ErrorKind, retry_after: float | None = None) -> ProviderError:
    return ProviderError(kind, "it failed", retry_after=retry_after)


def run(provider, *, on_attempt=None, policy=None, prompt=None):
    """(reply or error, seconds slept, attempts reported)."""
    slept: list[float] = []
    seen: list[Attempt] = []
    clock = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    def report(attempt: Attempt) -> None:
        seen.append(attempt)
        if on_attempt:
            on_attempt(attempt)

    outcome: object
    try:
        outcome = call_with_retries(
            provider,
            prompt or ask("An answer."),
            model="m",
            parameters={},
            timeout=1,
            policy=policy,
            on_attempt=report,
            sleep=sleep,
            limiter=Limiter(4, now=lambda: clock[0], sleep=sleep),
        )
    except ProviderError as error:
        outcome = error
    return outcome, slept, seen


def events(seen: list[Attempt]) -> list[tuple[int, str]]:
    return [(attempt.number, attempt.event.value) for attempt in seen]


def test_an_answer_at_once_is_one_attempt():
    outcome, slept, seen = run(Scripted(WHOLE))
    assert outcome is WHOLE
    assert slept == []
    assert events(seen) == [(1, "starting"), (1, "answered")]


def test_a_passing_failure_is_repeated_and_every_attempt_reported():
    outcome, slept, seen = run(Scripted(fail(ErrorKind.SERVER), fail(ErrorKind.TIMEOUT), WHOLE))
    assert outcome is WHOLE
    assert events(seen) == [
        (1, "starting"),
        (1, "failed"),
        (2, "starting"),
        (2, "failed"),
        (3, "starting"),
        (3, "answered"),
    ]
    assert [attempt.wait for attempt in seen if attempt.event is Event.FAILED] == slept


@pytest.mark.parametrize("kind", [kind for kind in ErrorKind if not kind.retryable])
def test_a_lasting_failure_is_never_repeated(kind):
    provider = Scripted(fail(kind), WHOLE)
    outcome, slept, seen = run(provider)
    assert outcome.kind is kind
    assert provider.calls == 1
    assert slept == []
    assert seen[-1].wait is None


@pytest.mark.parametrize("kind", [kind for kind in ErrorKind if kind.retryable])
def test_a_passing_failure_that_does_not_pass_is_given_up(kind):
    policy = Policy()
    provider = Scripted(*[fail(kind) for _ in range(20)])
    outcome, slept, _ = run(provider, policy=policy)
    assert outcome.kind is kind
    assert provider.calls == policy.attempts[kind]
    assert len(slept) == provider.calls - 1


def test_all_kinds_together_are_bounded_too():
    kinds = [kind for kind in ErrorKind if kind.retryable]
    provider = Scripted(*[fail(kinds[n % 4]) for n in range(40)])
    run(provider, policy=Policy(attempts=dict.fromkeys(kinds, 9), most=6))
    assert provider.calls == 6


def test_waits_double_within_their_jitter_and_stay_below_the_longest():
    policy = Policy(attempts={ErrorKind.SERVER: 9}, base=1, longest=10, most=9)
    _, slept, _ = run(Scripted(*[fail(ErrorKind.SERVER) for _ in range(9)]), policy=policy)
    for n, seconds in enumerate(slept):
        full = min(10, 2**n)
        assert full / 2 <= seconds <= full


def test_waits_are_the_same_for_the_same_prompt_and_seed():
    def waits(seed, text="An answer."):
        failures = Scripted(*[fail(ErrorKind.SERVER) for _ in range(5)])
        return run(failures, policy=Policy(seed=seed), prompt=ask(text))[1]

    assert waits(1) == waits(1)
    assert waits(1) != waits(2)
    assert waits(1) != waits(1, "Another answer.")


def test_it_waits_at_least_as_long_as_it_was_told():
    _, slept, _ = run(Scripted(fail(ErrorKind.RATE_LIMITED, 42), WHOLE))
    assert 42 <= sum(slept) <= 43


def test_a_wait_beyond_patience_is_handed_on_with_its_length():
    provider = Scripted(fail(ErrorKind.RATE_LIMITED, 3600), WHOLE)
    outcome, slept, _ = run(provider, policy=Policy(patience=300))
    assert outcome.retry_after == 3600
    assert slept == []
    assert provider.calls == 1


class BudgetSpentError(Exception):
    pass


def test_a_budget_stops_the_loop_before_anything_is_sent():
    provider = Scripted(fail(ErrorKind.SERVER), WHOLE)

    def budget(attempt: Attempt) -> None:
        if attempt.event is Event.STARTING and attempt.number == 2:
            raise BudgetSpentError

    with pytest.raises(BudgetSpentError):
        run(provider, on_attempt=budget)
    assert provider.calls == 1


def test_leave_is_asked_before_a_place_is_taken_and_for_each_attempt(stub):
    """Waiting for a budget must not hold a place, nor pass a pause by."""
    limiter, held = Limiter(1), []
    stub.script("500")
    call_with_retries(
        get("openai"),
        ask("An answer."),
        model="m",
        parameters={},
        timeout=5,
        policy=Policy(base=0.0),
        limiter=limiter,
        sleep=lambda seconds: None,
        ask_leave=lambda parameters: held.append(limiter.running),
    )
    assert held == [0, 0]


def test_a_place_is_given_back_when_the_budget_stops_a_call():
    limiter = Limiter(1)

    def stop(attempt: Attempt) -> None:
        raise BudgetSpentError

    with pytest.raises(BudgetSpentError):
        call_with_retries(
            Scripted(WHOLE),
            ask("x"),
            model="m",
            parameters={},
            timeout=1,
            on_attempt=stop,
            limiter=limiter,
        )
    assert limiter.running == 0


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_it_gets_through_a_bad_hour_of_a_real_server(stub: Stub, vendor):
    stub.script(Behaviour("429", retry_after="3"), "500", "529", "drop", "html", "ok")
    outcome, slept, seen = run(get(vendor))
    assert outcome.stop is Stop.COMPLETE
    assert stub.calls == 6
    assert slept[0] >= 3
    assert [attempt.error.kind for attempt in seen if attempt.error] == [
        ErrorKind.RATE_LIMITED,
        ErrorKind.SERVER,
        ErrorKind.SERVER,
        ErrorKind.CONNECTION,
        ErrorKind.SERVER,
    ]
