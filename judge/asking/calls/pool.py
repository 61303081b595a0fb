"""A pool of threads that call a provider: concurrency, waiting, retries and stopping.

Runs and orders of answers ask through a pool. Drafts, opinions and probes ask one question after
the other and share only the account's limiter (see `judge.asking.calls.model_client`).
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.conf import settings

from judge.asking import providers
from judge.asking.calls.sharing import Sharing
from judge.asking.providers.base import Prompt, Provider, ProviderError, Reply
from judge.asking.providers.limiter import limiter_for
from judge.asking.providers.retry import Attempt, Completes, Event, Policy, call_with_retries

EXCHANGE_EVERY = 1.0  # seconds between exchanges with other processes that use the account


class StoppedError(Exception):
    """The work is being stopped; the next attempt was not sent."""


class CallPool:
    """Threads that ask one provider for one piece of work, at the limiter's pace.

    The thread that made the pool exchanges limits with other processes and closes the pool. The
    pool's threads only ask and never touch the database.

    Args:
        work: the name of the work, unique in this process.
        threads: calls at once.
        policy: how often and how patiently a call is repeated.
        timeout: seconds one call may take; the installation's setting by default.
        stopping: once set, no further attempt is sent; pools of one piece of work share it.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        work: str,
        threads: int,
        policy: Policy | None = None,
        timeout: float | None = None,
        stopping: threading.Event | None = None,
    ) -> None:
        self.provider = provider
        self.stopping = stopping or threading.Event()
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
        ask_leave: Callable[[Mapping[str, Any]], None] | None = None,
        more: int | None = None,
    ) -> Reply:
        """Ask until a reply comes or retrying makes no sense; call it in a thread of the pool.

        Args:
            asked: the provider, or a wrapper that records attempts.
            ask_leave: called with the parameters before each attempt waits for its place. What it
                lets through counts already, and is sent although the work is being stopped
                meanwhile.
            more: output tokens with which a reply that was cut is asked for once more.

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
            ask_leave=lambda parameters: self._ask_leave(ask_leave, parameters),
            more=more,
            sleep=self._wait,
            limiter=self._limiter,
        )

    def asks_too_much(self, error: ProviderError) -> bool:
        """Return whether a provider asks to wait longer than a call of this pool does."""
        return self._policy.asks_too_much(error)

    def _ask_leave(
        self, ask_leave: Callable[[Mapping[str, Any]], None] | None, parameters: Mapping[str, Any]
    ) -> None:
        if self.stopping.is_set():
            raise StoppedError
        if ask_leave is not None:
            ask_leave(parameters)

    def _unless_stopped(self, attempt: Attempt) -> None:
        if attempt.event is Event.STARTING and self.stopping.is_set():
            raise StoppedError

    def _wait(self, seconds: float) -> None:
        if self.stopping.wait(seconds):
            raise StoppedError

    def exchange(self) -> None:
        """Exchange the account's limits with other processes, at most once a second.

        An endpoint that staff have changed or retired meanwhile is followed as well.
        """
        if self._sharing and time.monotonic() >= self._exchanged + EXCHANGE_EVERY:
            current = providers.get(self.provider.name)
            if current is not self.provider:
                self.provider = current
                self._limiter.hold_to(current.most_at_once)
            self._sharing.exchange()
            self._exchanged = time.monotonic()

    def close(self) -> None:
        """Wait for the calls under way and drop the tasks that no thread has begun."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def leave(self) -> None:
        """Leave our share of the account to other processes."""
        if self._sharing:
            self._sharing.leave()
