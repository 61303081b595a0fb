"""Retry calls, and limit how many of one account run at once.

A provider classifies its error; this module decides whether to ask again, bounded by attempts and
by the longest wait. Clock, sleep and jitter are parameters, so that tests need no time.
"""

import heapq
import itertools
import os
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Any, Protocol

from judge.providers.base import ErrorKind, Prompt, Provider, ProviderError, Reply

SAME_BURST = 0.25  # seconds; two refusals closer than this count as one, as clocks differ a little

Sleep = Callable[[float], None]
Clock = Callable[[], float]


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
        if error.retry_after > self.patience:
            return None
        # Add a little, or all callers told the same second return together.
        return error.retry_after + min(backoff, 1.0) * rng.random()


class Event(StrEnum):
    """What happened to an attempt."""

    STARTING = "starting"
    ANSWERED = "answered"
    FAILED = "failed"


@dataclass(frozen=True)
class Attempt:
    """One report: `number` from 1; `wait` is the pause before the next attempt, if there is one."""

    number: int
    event: Event
    reply: Reply | None = None
    error: ProviderError | None = None
    wait: float | None = None


@dataclass(frozen=True)
class Learnt:
    """What a limiter has learnt about its account; ages and pauses in seconds from now."""

    limit: int
    good: int
    refused_ago: float | None  # since the last rate limit
    paused_for: float


class Limiter:
    """Limit how many calls of one account run at once, and learn the limit from its answers.

    A rate limit halves the number, once per burst: calls that were already under way say nothing
    new. Each success then adds one, up to seven eighths of the number that was refused; from there
    `step` successes in a row add one. So a single refusal costs little, and repeated refusals
    lower the point from which the limiter probes by an eighth each time. A `Retry-After` pauses all
    threads, not only the one that received it.

    Free places go to the call that has waited longest. If any thread could take one, a thread that
    returns with its next call would find the lock free before a waiting thread wakes up, and a
    call could wait for a whole run.

    The limit holds for the account. Where other processes use it too, `share` is this process's
    part of the number (see `judge.calls.sharing`).
    """

    def __init__(
        self,
        ceiling: int = 8,
        *,
        floor: int = 1,
        step: int = 10,
        now: Clock = time.monotonic,
        sleep: Sleep = time.sleep,
    ) -> None:
        self._ceiling = max(1, ceiling)
        self._floor = max(1, min(floor, self._ceiling))
        self._step = max(1, step)
        self._now = now
        self._sleep = sleep
        self._lock = threading.Lock()
        self._line: list[_Turn] = []  # a heap: the longest waiting first
        self._numbers = itertools.count()
        self._limit = self._ceiling
        self._good = self._ceiling  # up to here the number grows with every success
        self._share = 1.0
        self._running = 0
        self._streak = 0
        self._burst = 0
        self._refused: float | None = None
        self._paused_until = float("-inf")

    @property
    def limit(self) -> int:
        """Calls allowed at once now, in this process."""
        with self._lock:
            return self._places()

    def _places(self) -> int:
        return max(self._floor, int(self._limit * self._share))

    @property
    def running(self) -> int:
        """Calls that hold a place."""
        with self._lock:
            return self._running

    @property
    def waiting(self) -> int:
        """Calls that wait for one."""
        with self._lock:
            return len(self._line)

    def raise_ceiling(self, ceiling: int) -> None:
        """Allow up to `ceiling` calls; a limit already learnt stays until successes raise it."""
        with self._lock:
            untouched = self._limit == self._ceiling
            self._ceiling = max(self._ceiling, ceiling)
            if untouched:
                self._limit = self._good = self._ceiling
            self._serve()

    def learnt(self) -> Learnt:
        """Return what other processes that use the account need to know."""
        with self._lock:
            now = self._now()
            ago = None if self._refused is None else now - self._refused
            return Learnt(self._limit, self._good, ago, max(0.0, self._paused_until - now))

    def follow(self, other: Learnt | None, *, share: float) -> None:
        """Adopt what another process learnt later than we did, and our part of the account."""
        with self._lock:
            now = self._now()
            self._share = share
            if other is not None:
                self._paused_until = max(self._paused_until, now + other.paused_for)
                if other.refused_ago is not None and (
                    self._refused is None or now - other.refused_ago > self._refused + SAME_BURST
                ):
                    self._limit = max(self._floor, min(other.limit, self._ceiling))
                    self._good = max(self._floor, min(other.good, self._ceiling))
                    self._refused = now - other.refused_ago
            self._serve()

    def slot(self) -> "Slot":
        """Return a context manager that waits for a place for one call and holds it."""
        return Slot(self)

    def enter(self) -> int:
        """Wait for a place and for the end of a pause. Return the number of the present burst."""
        with self._lock:
            turn = _Turn(next(self._numbers))
            heapq.heappush(self._line, turn)
            self._serve()
        try:
            while True:
                turn.come.acquire()
                while turn.has_place:
                    with self._lock:
                        remaining = self._paused_until - self._now()
                        if remaining <= 0 and self._running <= self._places():
                            return self._burst
                        if remaining <= 0:  # the number fell meanwhile: back into the line
                            turn.has_place = False
                            self._running -= 1
                            heapq.heappush(self._line, turn)
                    # Sleep outside the lock, so that others can give places back.
                    if remaining > 0:
                        self._sleep(remaining)
        except BaseException:
            self._give_up(turn)
            raise

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            if not self._running:
                raise RuntimeError("A place was given back twice.")
            self._running -= 1
            self._serve()

    def _give_up(self, turn: "_Turn") -> None:
        """Leave the line after an interruption."""
        with self._lock:
            if turn.has_place:
                self._running -= 1
                self._serve()
            else:
                self._line.remove(turn)
                heapq.heapify(self._line)

    def _serve(self) -> None:
        """Hand free places to the calls that have waited longest; under the lock."""
        while self._line and self._running < self._places():
            self._running += 1
            turn = heapq.heappop(self._line)
            turn.has_place = True
            turn.come.release()

    def succeeded(self) -> None:
        """Raise the limit after a success, as far as it may be raised."""
        with self._lock:
            self._streak += 1
            if self._limit < self._ceiling and (
                self._limit < self._good or self._streak >= self._step
            ):
                self._limit += 1
                self._streak = 0
                self._serve()

    def failed(self, error: ProviderError, burst: int | None) -> None:
        """Pause or lower the limit after an error; `burst` is that of the call's place."""
        with self._lock:
            self._streak = 0
            if error.retry_after:
                self._paused_until = max(self._paused_until, self._now() + error.retry_after)
            if error.kind is ErrorKind.RATE_LIMITED and burst == self._burst:
                self._good = max(self._floor, self._limit - max(1, self._limit // 8))
                self._limit = max(self._floor, self._limit // 2)
                self._burst += 1
                self._refused = self._now()


@dataclass(order=True)
class _Turn:
    """A call that waits for a place; `come` is released when it is handed one."""

    number: int
    come: threading.Lock = field(default_factory=threading.Lock, compare=False)
    has_place: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        self.come.acquire()


class Slot:
    """A place in a limiter for one call; told how the call went."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self._burst: int | None = None  # the burst it was entered in

    def enter(self) -> None:
        """Wait for the place."""
        self._burst = self._limiter.enter()

    def leave(self) -> None:
        """Give the place back."""
        self._limiter.leave()

    def __enter__(self) -> "Slot":
        self.enter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.leave()

    def succeeded(self) -> None:
        """The provider answered."""
        self._limiter.succeeded()

    def failed(self, error: ProviderError, *, patience: float = float("inf")) -> None:
        """The provider refused. A pause longer than `patience` seconds applies to this call alone:
        a wrong header must not stop a whole process."""
        if error.retry_after is not None and error.retry_after > patience:
            error = ProviderError(error.kind, error.detail)
        self._limiter.failed(error, self._burst)


_limiters: dict[tuple[int, str], Limiter] = {}
_limiters_lock = threading.Lock()


def limiter_for(provider: Provider, *, ceiling: int = 8) -> Limiter:
    """Return the limiter of the provider's key in this process; the highest ceiling counts."""
    name = (os.getpid(), provider.account)
    with _limiters_lock:
        limiter = _limiters.get(name)
        if limiter is None:
            limiter = _limiters[name] = Limiter(ceiling)
    limiter.raise_ceiling(ceiling)
    return limiter


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
    ask_leave: Callable[[], None] = lambda: None,
) -> Reply:
    """Ask until a reply comes or another attempt makes no sense.

    `on_attempt` is called twice for each attempt: with STARTING before anything is sent (raise to
    stop: nothing is billed), then with ANSWERED or FAILED and the reply or error, to be stored.
    Whatever it raises ends the loop and reaches the caller. Each attempt holds a place in the
    limiter; waits do not. `ask_leave` is called before an attempt waits for its place, as leave may
    take as long as another call. Raises the last ProviderError.
    """
    policy = policy or Policy()
    rng: random.Random | None = None  # made on first use: seeding one is slow
    failures: dict[ErrorKind, int] = {}
    number = 0
    while True:
        number += 1
        ask_leave()
        slot = limiter.slot()
        with slot:
            on_attempt(Attempt(number, Event.STARTING))
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
            on_attempt(Attempt(number, Event.ANSWERED, reply=reply))
            return reply
        failures[error.kind] = failures.get(error.kind, 0) + 1
        rng = rng or random.Random(f"{policy.seed}:{prompt.sha256}")  # noqa: S311 (only jitter)
        wait = policy.wait(error, failures[error.kind], rng) if number < policy.most else None
        on_attempt(Attempt(number, Event.FAILED, error=error, wait=wait))
        if wait is None:
            raise error
        sleep(wait)
