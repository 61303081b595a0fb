"""Retry calls.

A provider classifies its error; this module decides whether to ask again, bounded by attempts and
by the longest wait. Sleep and jitter are parameters, so that tests need no time.
"""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from judge.asking.providers.base import (
    MAX_OUTPUT_TOKENS,
    ErrorKind,
    Prompt,
    ProviderError,
    Reply,
    Stop,
)
from judge.asking.providers.limiter import Limiter, Sleep


@dataclass(frozen=True)
class Policy:
    """How often to repeat a call, and how long to wait.

    `attempts` limits the calls for each kind of failure, the first call included; `most` limits
    them all together. Before attempt n + 1 wait `base * 2 ** (n - 1)` seconds, at most `longest`,
    shortened by up to a half at random (seeded by `seed` and the prompt, so that a run repeats).
    Honour the wait a provider asks for up to `patience` seconds; raise the error if it asks for
    more, so that the caller may come back later.
    """

    attempts: Mapping[ErrorKind, int] = field(
        default_factory=lambda: {
            ErrorKind.RATE_LIMITED: 8,
            ErrorKind.TIMEOUT: 3,
            ErrorKind.SERVER: 5,
            ErrorKind.CONNECTION: 5,
        }
    )
    most: int = 10
    base: float = 0.5
    longest: float = 60.0
    patience: float = 300.0
    seed: int = 0

    def wait(self, error: ProviderError, failures: int, rng: random.Random) -> float | None:
        """Return the seconds before the next attempt, or None to give up.

        `failures` counts the failures of this kind so far, the present one included.
        """
        if not error.kind.retryable or failures >= self.attempts.get(error.kind, 1):
            return None
        backoff = min(self.longest, self.base * 2 ** min(failures - 1, 30))
        backoff *= 1 - rng.random() / 2
        if error.retry_after is None:
            return backoff
        if self.asks_too_much(error):
            return None
        # Add a little, or all callers told the same second return together.
        return error.retry_after + min(backoff, 1.0) * rng.random()

    def asks_too_much(self, error: ProviderError) -> bool:
        """Return whether a provider asks to wait longer than this policy does."""
        asked = error.retry_after if error.kind.retryable else None
        return asked is not None and asked > self.patience


LONGEST_PAUSE = timedelta(days=31)
"""The longest wait that a provider may ask for; vendors count by months at most."""


def end_of_wait(error: ProviderError, now: datetime) -> datetime:
    """Return when a provider takes calls again, by what it asked for."""
    return now + min(timedelta(seconds=error.retry_after or 0.0), LONGEST_PAUSE)


def more_tokens(parameters: Mapping[str, Any], most: int | None = None) -> int | None:
    """Return the tokens a reply may have when it is asked for once more because it was cut: twice
    as many, at most `most`. None where that is no more."""
    given = parameters.get("max_tokens") or MAX_OUTPUT_TOKENS
    wanted = 2 * given if most is None else min(2 * given, most)
    return wanted if wanted > given else None


def asked_for_more(parameters: Mapping[str, Any], more: int) -> dict[str, Any]:
    """Return the parameters of a question that is asked once more because its reply was cut."""
    return {**parameters, "max_tokens": more}


class Event(StrEnum):
    """What happened to an attempt."""

    STARTING = "starting"
    ANSWERED = "answered"
    FAILED = "failed"


@dataclass(frozen=True)
class Attempt:
    """One report: `number` from 1; `wait` is the pause before the next attempt, if there is one.

    `parameters` are those of this attempt, which may have more output tokens than the first.
    """

    number: int
    event: Event
    parameters: Mapping[str, Any]
    reply: Reply | None = None
    error: ProviderError | None = None
    wait: float | None = None


class Completes(Protocol):
    """What can be asked: a provider, or a wrapper around one."""

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Make one call. Raises ProviderError."""
        ...


def call_with_retries(
    provider: Completes,
    prompt: Prompt,
    *,
    model: str,
    parameters: Mapping[str, Any],
    timeout: float,
    policy: Policy | None = None,
    on_attempt: Callable[[Attempt], None] = lambda attempt: None,
    sleep: Sleep = time.sleep,
    limiter: Limiter,
    ask_leave: Callable[[Mapping[str, Any]], None] = lambda parameters: None,
    more: int | None = None,
) -> Reply:
    """Ask until a reply comes or another attempt makes no sense.

    `on_attempt` is called twice for each attempt: with STARTING before anything is sent (raise to
    stop: nothing is billed), then with ANSWERED or FAILED and the reply or error, to be stored.
    Whatever it raises ends the loop and reaches the caller. Each attempt holds a place in the
    limiter; waits do not. `ask_leave` is called with the parameters before an attempt waits for its
    place, as leave may take as long as another call. Raises the last ProviderError.

    `more`: a reply that was cut is asked for once more with so many output tokens; None to return
    it. Where that fails, as with a model that does not write as many, the cut reply is returned.
    """
    cut: Reply | None = None
    policy = policy or Policy()
    rng: random.Random | None = None  # made on first use: seeding one is slow
    failures: dict[ErrorKind, int] = {}
    number = 0
    while True:
        number += 1
        ask_leave(parameters)
        slot = limiter.slot()
        with slot:
            on_attempt(Attempt(number, Event.STARTING, parameters))
            reply: Reply | None
            try:
                reply = provider.complete(
                    prompt, model=model, parameters=parameters, timeout=timeout
                )
            except ProviderError as refused:
                error = refused
                slot.failed(error, patience=policy.patience)
                reply = None
            else:
                slot.succeeded()
        # The place is free again: storing an attempt must not keep the next call waiting.
        if reply is not None:
            on_attempt(Attempt(number, Event.ANSWERED, parameters, reply=reply))
            if reply.stop is not Stop.TRUNCATED or more is None or cut is not None:
                return reply
            cut, parameters = reply, asked_for_more(parameters, more)
            continue
        failures[error.kind] = failures.get(error.kind, 0) + 1
        rng = rng or random.Random(f"{policy.seed}:{prompt.sha256}")  # noqa: S311 (only jitter)
        wait = policy.wait(error, failures[error.kind], rng) if number < policy.most else None
        on_attempt(Attempt(number, Event.FAILED, parameters, error=error, wait=wait))
        if wait is None and cut is not None:
            return cut
        if wait is None:
            raise error
        sleep(wait)
