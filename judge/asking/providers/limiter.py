"""Limit how many calls of one account run at once, and learn the limit from its answers.

Clock and sleep are parameters, so that tests need no time.
"""

import heapq
import itertools
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType

from judge.asking.providers.base import ErrorKind, Provider, ProviderError

SAME_BURST = 0.25  # seconds; two refusals closer than this count as one, as clocks differ a little

Sleep = Callable[[float], None]
Clock = Callable[[], float]


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
    part of the number (see `judge.asking.calls.pool`).
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
        self._most: int | None = None
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
        limit = self._limit if self._most is None else min(self._limit, self._most)
        return max(self._floor, int(limit * self._share))

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

    def hold_to(self, most: int | None) -> None:
        """Never let more than `most` calls run at once, whatever is learnt; None for no limit."""
        with self._lock:
            self._most = most
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
    """Return the limiter of the provider's key in this process.

    The highest ceiling counts, within the calls at once that the provider bears.
    """
    name = (os.getpid(), provider.account)
    with _limiters_lock:
        limiter = _limiters.get(name)
        if limiter is None:
            limiter = _limiters[name] = Limiter(ceiling)
    limiter.raise_ceiling(ceiling)
    limiter.hold_to(provider.most_at_once)
    return limiter
