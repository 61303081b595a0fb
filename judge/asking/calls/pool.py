"""A pool of threads that call a provider: concurrency, waiting, retries and stopping.

Runs and orders of answers ask through a pool. Drafts, opinions and probes ask one question after
the other and share only the account's limiter (see `judge.asking.calls.model_client`).
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from judge.asking import providers
from judge.asking.providers.base import Prompt, Provider, ProviderError, Reply
from judge.asking.providers.limiter import Learnt, Limiter, limiter_for
from judge.asking.providers.retry import Attempt, Completes, Event, Policy, call_with_retries
from judge.base.queue import alive
from judge.base.queue.models import AccountUse

# Processes share through the database, which every installation has. They learn of a refusal
# within a second; until then each may meet one of its own.


FRESH = timedelta(seconds=10)  # older rows belong to processes that have ended
KEPT = timedelta(hours=1)

_LEARNT = ["wanted", "limit", "good", "refused_at", "paused_until", "seen_at"]


class Sharing:
    """The row of one run or order among the work that uses an account.

    Args:
        account: the opaque name of the key.
        wanted: calls at once it asks for.
        work: its name, unique in this process.
        process: the process, each of which has its own limiter; by default this one.
    """

    def __init__(
        self, limiter: Limiter, account: str, *, wanted: int, work: str, process: str = ""
    ) -> None:
        self.limiter, self.account, self.wanted = limiter, account, wanted
        self.process = process or alive.process_name()
        self.holder = f"{self.process}/{work}"

    def exchange(self) -> None:
        """Report our limit and adopt that of the others. Two queries."""
        now = timezone.now()
        learnt = self.limiter.learnt()
        ago = learnt.refused_ago
        use = AccountUse(
            account=self.account,
            holder=self.holder,
            wanted=self.wanted,
            limit=learnt.limit,
            good=learnt.good,
            refused_at=None if ago is None else now - timedelta(seconds=ago),
            paused_until=now + timedelta(seconds=learnt.paused_for),
            seen_at=now,
        )
        AccountUse.objects.bulk_create(
            [use],
            update_conflicts=True,
            unique_fields=["account", "holder"],
            update_fields=_LEARNT,
        )
        rows = list(AccountUse.objects.filter(account=self.account, seen_at__gte=now - FRESH))
        others = [row for row in rows if not row.holder.startswith(f"{self.process}/")]
        others = [row for row in others if not alive.has_ended(row.holder.partition("/")[0])]
        if not others:
            self.limiter.follow(None, share=1.0)
            return
        ours = sum(row.wanted for row in rows if row.holder.startswith(f"{self.process}/"))
        theirs = sum(row.wanted for row in others)
        # As within one process, assume that the account bears the highest number asked for.
        self.limiter.raise_ceiling(max(row.wanted for row in others))
        refused = [row for row in others if row.refused_at is not None]
        last = max(refused, key=lambda row: row.refused_at or now, default=None)
        pause = max((row.paused_until or now) - now for row in others)
        self.limiter.follow(
            Learnt(
                limit=last.limit if last else 0,
                good=last.good if last else 0,
                refused_ago=(
                    (now - last.refused_at).total_seconds() if last and last.refused_at else None
                ),
                paused_for=max(0.0, pause.total_seconds()),
            ),
            share=ours / (ours + theirs),
        )

    def leave(self) -> None:
        """Remove the row, so that the others take its share."""
        AccountUse.objects.filter(account=self.account, holder=self.holder).delete()
        AccountUse.objects.filter(seen_at__lt=timezone.now() - KEPT).delete()
        self.limiter.follow(None, share=1.0)


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
