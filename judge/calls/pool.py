"""How many questions are asked at once: places, waiting, retries and stopping, for any purpose.

Runs and orders of answers ask through a pool. Drafts, opinions and probes ask one question after
the other and share only the account's limiter (see `judge.calls.model_client`).
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.conf import settings

from judge.calls.sharing import Sharing
from judge.providers.base import Prompt, Provider, Reply
from judge.providers.retry import Attempt, Completes, Event, Policy, call_with_retries, limiter_for

EXCHANGE_EVERY = 1.0  # seconds between looks at what other processes learnt of the account


class StoppedError(Exception):
    """The work is being stopped; what was to be asked next was not sent."""


class CallPool:
    """Threads that ask one provider for one piece of work, each call holding a thread and a place.

    The thread that made the pool exchanges what it learnt and closes it; the others only ask, and
    never touch the database.

    Args:
        work: names the work among all that this process does.
        threads: calls at once.
        policy: how often and how patiently a call is repeated.
        timeout: seconds one call may take; the installation's setting by default.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        work: str,
        threads: int,
        policy: Policy | None = None,
        timeout: float | None = None,
    ) -> None:
        self.provider = provider
        self.stopping = threading.Event()
        self._policy = policy or Policy()
        self._timeout = timeout or settings.MODEL_TIMEOUT
        self._limiter = limiter_for(provider, ceiling=threads)
        self._sharing = (
            None
            if provider.offline
            else Sharing(self._limiter, provider.account, wanted=threads, work=work)
        )
        self._exchanged = float("-inf")
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=work)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a thread call `function`."""
        return self._threads.submit(function, *arguments)

    def ask(
        self,
        asked: Completes,
        prompt: Prompt,
        *,
        model: str,
        parameters: Mapping[str, Any],
        ask_leave: Callable[[], None] | None = None,
    ) -> Reply:
        """Ask until there is a reply or no more sense in asking; in one of the pool's threads.

        Args:
            asked: the provider, or a wrapper that records attempts.
            ask_leave: called before each attempt waits for its place. What it lets through counts
                already, and is sent although the work is being stopped meanwhile.

        Raises the last ProviderError, StoppedError, and whatever `asked` raises.
        """
        return call_with_retries(
            asked,
            prompt,
            model=model,
            parameters=parameters,
            timeout=self._timeout,
            policy=self._policy,
            on_attempt=(lambda attempt: None) if ask_leave else self._unless_stopped,
            ask_leave=lambda: self._ask_leave(ask_leave),
            sleep=self._wait,
            limiter=self._limiter,
        )

    def _ask_leave(self, ask_leave: Callable[[], None] | None) -> None:
        if self.stopping.is_set():
            raise StoppedError
        if ask_leave is not None:
            ask_leave()

    def _unless_stopped(self, attempt: Attempt) -> None:
        if attempt.event is Event.STARTING and self.stopping.is_set():
            raise StoppedError

    def _wait(self, seconds: float) -> None:
        if self.stopping.wait(seconds):
            raise StoppedError

    def exchange(self) -> None:
        """Tell the others who use this account what we learnt, at most once a second."""
        if self._sharing and time.monotonic() >= self._exchanged + EXCHANGE_EVERY:
            self._sharing.exchange()
            self._exchanged = time.monotonic()

    def close(self) -> None:
        """Wait for the calls under way; what no thread has begun is not begun any more."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def leave(self) -> None:
        """Give the others our part of the account."""
        if self._sharing:
            self._sharing.leave()
