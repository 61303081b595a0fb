"""One call's way over the wire: how long it takes, and what is held meanwhile and no longer.

Building a request and reading a reply cost milliseconds of our own. A place for calls that was held
so long would stand empty at the provider, so whoever holds places hands them down here as doors:
they are entered when the request is ready to be sent, and left when the whole reply has arrived.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

# Who was just handed the place is ready to send, but Python would go on with this thread for up to
# 5 ms, to read a reply that nobody waits for. Seconds in which the other one wakes up and sends.
_AFTER_YOU = 0.0003


class Door(Protocol):
    """Something to be held while a call is on the wire; one object for one call."""

    def enter(self) -> None:
        """Wait for it. Whatever this raises keeps the call from being sent, and reaches the
        caller of the provider."""
        ...

    def leave(self) -> None:
        """Give it back."""
        ...


class Passage:
    """One call's way: enters its doors in order, and leaves them in reverse, once."""

    def __init__(self, doors: tuple[Door, ...]) -> None:
        self._doors = doors
        self._entered: list[Door] = []
        self._made = time.monotonic()
        self._started: float | None = None
        self._ended: float | None = None
        self.refusal: BaseException | None = None

    @property
    def seconds(self) -> float:
        """From the first byte sent to the last received; what was spent waiting does not count."""
        since = self._made if self._started is None else self._started
        return (self._ended or time.monotonic()) - since

    def start(self) -> float:
        """The request is ready: wait for the doors. Returns the time (monotonic) it may be sent.

        Raises what a door raises, which also stays in `refusal`: an SDK wraps what it does not
        know.
        """
        try:
            for door in self._doors[len(self._entered) :]:
                door.enter()
                self._entered.append(door)
        except BaseException as refused:
            self.refusal = refused
            raise
        self._started = time.monotonic()
        return self._started

    def end(self) -> None:
        """The reply has arrived, or will not."""
        if self._ended is None and self._started is not None:
            self._ended = time.monotonic()
        if not self._entered:
            return
        while self._entered:
            self._entered.pop().leave()
        time.sleep(_AFTER_YOU)


_doors: ContextVar[tuple[Door, ...]] = ContextVar("doors", default=())
_passage: ContextVar[Passage | None] = ContextVar("passage", default=None)


@contextmanager
def through(door: Door) -> Iterator[None]:
    """Calls made in this context, by this thread, hold `door` while they are on the wire."""
    token = _doors.set((*_doors.get(), door))
    try:
        yield
    finally:
        _doors.reset(token)


@contextmanager
def passage() -> Iterator[Passage]:
    """The way of the one call made inside; whatever happens, its doors are left at the end."""
    found = Passage(_doors.get())
    token = _passage.set(found)
    try:
        yield found
    finally:
        _passage.reset(token)
        found.end()


def current() -> Passage:
    """The way of the call being made; one without doors where nobody opened any."""
    return _passage.get() or Passage(())
