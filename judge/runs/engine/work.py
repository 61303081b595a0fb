"""Work on a run: decide what to ask next, and store what comes back.

The calling thread coordinates: it claims, grants, writes and decides. The others only ask.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from typing import Any

from django.db import InterfaceError, OperationalError, connection, reset_queries
from django.utils import timezone

from curation.base.process.states import move
from judge.asking.calls.budgets import Answer, Grant
from judge.asking.calls.pool import StoppedError
from judge.asking.providers.base import ErrorKind
from judge.asking.providers.retry import Policy, end_of_wait
from judge.base.queue import leases
from judge.methods.base import registry
from judge.runs.engine import asking, pause_reasons
from judge.runs.engine.asking import BudgetError, ProviderRefusalError, RunContext, SourceLostError
from judge.runs.engine.batches.batches import Batching, BatchRefusedError
from judge.runs.engine.events import Asked, Called, Ended, Found, Left
from judge.runs.engine.lanes import Lanes
from judge.runs.engine.lease import claim_run
from judge.runs.engine.ledger import LeaseLostError, Ledger
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.planning.schedule import Schedule

log = logging.getLogger(__name__)

BATCH = 256  # events written at once
PATIENCE = 60.0  # seconds that responses which another run is judging are waited for
LOOK = 1.0  # seconds between looks at what staff want
RENEW = 10.0  # seconds without a write before the lease is renewed
GATHER = 0.02  # seconds to wait for further events, so that they share a transaction

State = JudgeRun.State
WORKABLE = (State.WAITING, State.RUNNING)

# Errors of the provider rather than of one response.
_OUTAGE = {
    *(ErrorKind.RATE_LIMITED, ErrorKind.TIMEOUT, ErrorKind.SERVER),
    *(ErrorKind.CONNECTION, ErrorKind.BAD_REQUEST),
}


def work_on_run(
    run: JudgeRun,
    *,
    token: str = "",
    policy: Policy | None = None,
    timeout: float | None = None,
    heartbeat: Callable[[], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    stop: threading.Event | None = None,
    patience: float = PATIENCE,
) -> bool:
    """Work on a run in this thread until it is finished, stopped, paused or cancelled.

    Args:
        token: the lease token it was planned with; without one it is claimed now.
        policy: how often and how patiently a call is repeated.
        timeout: seconds one call may take; the installation's setting by default.
        heartbeat: called every few seconds, to show that this worker lives.
        on_progress: called with (responses done, responses in all) after each write.
        stop: once set, the run pauses after the calls under way.
        patience: seconds to wait for responses that another run is judging.

    Returns False if another process works on the run, or its state allows no work.
    """
    token = token or leases.new_token()
    if not claim_run(run.pk, token, states=WORKABLE):
        return False
    run.refresh_from_db()
    now = timezone.now()
    if not move(
        JudgeRun.objects.filter(pk=run.pk, lease=token),
        State.RUNNING,
        reason="",
        facts={},
        started_at=run.started_at or now,
        working_since=now,
    ):
        # Staff paused or cancelled it between the claim and this line; keep that.
        JudgeRun.objects.filter(pk=run.pk, lease=token).update(lease="", lease_until=None)
        run.refresh_from_db()
        return False
    session = _Session(run, token, policy, timeout)
    session.heartbeat = heartbeat
    session.on_progress = on_progress
    session.stop = stop
    session.patience = patience
    try:
        session.work()
    except LeaseLostError:
        log.warning("Run %s was taken over by another process", run.pk)
        return False
    finally:
        run.refresh_from_db()
    return True


class _Session:
    """One process's work on one run."""

    def __init__(
        self, run: JudgeRun, token: str, policy: Policy | None, timeout: float | None
    ) -> None:
        self.run = run
        self.ledger = Ledger(run, token)
        self.budget = self.ledger.budget
        self.events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.lanes = Lanes(run, policy, timeout)
        self.context = RunContext(
            run, self.lanes, tell=self.events.put, ask_leave=self.budget.limited
        )
        self.provider = self.lanes.judge.pool.provider
        self.warms = not self.provider.offline
        self.backlog = self._most_claimed()
        self.heartbeat: Callable[[], None] | None = None
        self.on_progress: Callable[[int, int], None] | None = None
        self.stop: threading.Event | None = None
        self._take_stock()
        self.asked: list[Asked] = []  # waiting for money that calls under way may leave over
        self.running: dict[int, Future[None]] = {}  # item -> its future
        self.end: tuple[str | None, str, dict[str, object]] | None = None
        self.until: datetime | None = None  # a pause that ends by itself
        self.failures_in_a_row = 0
        self.gather = 0.0  # seconds
        self.patience = PATIENCE
        self.waits_since: float | None = None
        self.looked = self.renewed = self.beat_at = time.monotonic()

    def _most_claimed(self) -> int:
        """Return how many responses to claim: asked, waiting for a thread, or not yet written.

        More than there are threads, as a commit of a busy server may take a second. It is also what
        a crash may cost, so it is small under a limit, where what the threads are granted counts
        before it is sent, and where a response takes many calls.
        """
        threads = self.run.concurrency
        several = self.context.one_by_one or registry.get(self.run.method).further_roles
        if not self.warms or self.budget.limited or several:
            return threads + max(2, threads // 4)
        return 5 * threads

    def _take_stock(self) -> None:
        """Schedule what is still to be asked, and count what is done."""
        self.schedule = Schedule(self.run, self.ledger, warms=self.warms)
        self.total = RunItem.objects.filter(run=self.run).exclude(state="skipped").count()
        self.done = self.total - self.schedule.found

    @property
    def completed(self) -> int:
        """The number of responses that have an outcome."""
        return self.done + self.schedule.reused

    # -- the loop ---------------------------------------------------------------------------------

    def work(self) -> None:
        """Work until nothing is left or there is a reason to end; always release the lease."""
        api = self.provider.batches if self.run.batch else None
        if api is not None:
            try:
                over = self._batches(Batching(self.run, self.ledger, api))
            except BaseException:
                self._abandon()
                raise
            if not over:
                state, reason, facts = self.end or (None, "", {})
                self.ledger.close(state, reason, facts, until=self.until)
                return
            self._take_stock()
        self.lanes.exchange()
        try:
            while True:
                if self.end is None:
                    self._fill()
                if not self.running and not self._wait_for_deferred():
                    break
                self._handle(self._next_events())
                self._look()
            state, reason, facts = self.end or (State.FINISHED, "", {})
            self.ledger.close(state, reason, facts, until=self.until)
            self.lanes.leave()
        except BaseException:
            self._abandon()
            raise
        finally:
            self.lanes.close()

    def _batches(self, batching: Batching) -> bool:
        """Handle the run's batches. Return True when the rest is to be asked live."""
        label = str(self.provider.label)
        try:
            over = batching.step()
        except ProviderRefusalError as cause:
            self._pause_refused(cause)
            return False
        except BatchRefusedError as cause:
            self._stop(State.PAUSED, pause_reasons.NO_BATCH, provider=label, detail=str(cause))
            return False
        if over and batching.budget_used_up:
            self._stop_at_limit()
            return False
        return over

    def _wait_for_deferred(self) -> bool:
        """Return whether to wait for responses that another run is judging.

        Waits a minute at most, then leaves the run to the next sweep: a batch may take a day. If
        nobody collects that batch, the run waits for staff.
        """
        if self.end is not None or not self.schedule.deferred:
            return False
        now = time.monotonic()
        self.waits_since = self.waits_since or now
        if (
            blocked := self.schedule.blocked_until_staff_act()
        ) or now - self.waits_since >= self.patience:
            self._stop(State.WAITING if blocked else None, "")
            return False
        self.schedule.recheck_deferred()
        time.sleep(LOOK / 2)
        return True

    def _fill(self) -> None:
        while len(self.running) < self.backlog:
            job = self.schedule.next()
            if job is None:
                return
            self.running[job.item] = self.lanes.submit(asking.judge, self.context, job)

    def _next_events(self) -> list[Any]:
        try:
            first = self.events.get(timeout=LOOK / 2)
        except queue.Empty:
            return []
        found = [first]
        # Wait a moment for more events: one transaction then stores them all.
        until = time.monotonic() + self.gather
        while len(found) < min(BATCH, len(self.running)):
            try:
                found.append(self.events.get(timeout=max(0.0, until - time.monotonic())))
            except queue.Empty:
                break
        return found

    def _handle(self, events: list[Any]) -> None:
        records = [event for event in events if isinstance(event, Called | Found | Ended)]
        for event in records:
            if isinstance(event, Called):
                self.gather = min(GATHER, event.call.seconds / 15)
            elif isinstance(event, Ended) and event.found and event.found.called:
                self.gather = min(GATHER, event.found.called.call.seconds / 15)
        self.asked += [event for event in events if isinstance(event, Asked)]
        reset_queries()  # with DEBUG Django keeps the text of every statement, whole prompts too
        if records:
            self.ledger.write(records)
            self.renewed = time.monotonic()
        self._grant()
        for event in events:
            if isinstance(event, Found | Ended | Left):
                self.schedule.answered(event.job.task)
            if isinstance(event, Ended):
                self.waits_since = None
                self._ended(event)
            elif isinstance(event, Left):
                self._left(event)
        if self.on_progress and any(isinstance(event, Ended) for event in events):
            self.on_progress(self.completed, self.total)

    def _grant(self) -> None:
        """Answer the threads that ask for leave, once what is granted is on record."""
        if not self.asked:
            return
        later: list[Asked] = []
        answered: list[Asked] = []
        for asked in self.asked:
            if self.end is not None:
                asked.grant = Grant(Answer.REFUSED)
            else:
                lane = self.lanes.of(asked.role)
                asked.grant = self.budget.ask(
                    asked.input_tokens,
                    asked.output_tokens,
                    asked.max_tokens,
                    rates=self.ledger.rates[lane.pool.provider.name, lane.model],
                )
            (later if asked.grant.answer is Answer.LATER else answered).append(asked)
        if any(asked.grant and asked.grant.answer is Answer.GRANTED for asked in answered):
            self.ledger.write([], started=True)
        self.asked = later
        for asked in answered:
            asked.ready.set()

    def _ended(self, event: Ended) -> None:
        self.running.pop(event.job.item, None)
        self.done += 1
        if event.reasons and set(event.reasons.values()) <= _OUTAGE:
            self.failures_in_a_row += 1
        else:
            self.failures_in_a_row = 0
        limit = max(20, 2 * self.run.concurrency)
        if self.failures_in_a_row >= limit:
            code = next(iter(event.reasons.values()))
            self._stop(State.PAUSED, pause_reasons.NO_ANSWER, n=self.failures_in_a_row, code=code)

    def _left(self, event: Left) -> None:
        self.running.pop(event.job.item, None)
        if isinstance(event.cause, BudgetError):
            self._stop_at_limit()
        elif isinstance(event.cause, ProviderRefusalError):
            self._pause_refused(event.cause)
        elif isinstance(event.cause, SourceLostError):
            self._stop(State.PAUSED, pause_reasons.NO_SOURCE, detail=str(event.cause))
        elif not isinstance(event.cause, StoppedError):
            self.done += 1
            self.ledger.broke(event.job)

    def _pause_refused(self, refusal: ProviderRefusalError) -> None:
        error, lane = refusal.error, refusal.lane or self.lanes.judge
        reason = pause_reasons.OF_REFUSAL.get(error.kind, pause_reasons.REFUSED)
        facts = {"provider": str(lane.pool.provider.label), "model": lane.model}
        if self.end is None and lane.pool.asks_too_much(error):
            self.until = end_of_wait(error, timezone.now())
            reason, facts["until"] = pause_reasons.WAITS, self.until.isoformat()
        self._stop(State.PAUSED, reason, **facts, detail=str(error.detail))

    def _stop_at_limit(self) -> None:
        if self.budget.calls is not None and self.budget.started >= self.budget.calls:
            self._stop(State.STOPPED, pause_reasons.NO_CALL_LEFT, n=self.budget.calls)
        else:
            dollars = f"{(self.budget.micro or 0) / 1_000_000:,.2f}"
            self._stop(State.STOPPED, pause_reasons.NO_MONEY_LEFT, budget=dollars)

    # -- stopping ---------------------------------------------------------------------------------

    def _stop(self, state: str | None, reason: str, **facts: object) -> None:
        """Begin nothing new; store the calls under way. The first reason counts."""
        if self.end is not None:
            return
        self.end = (state, reason, facts)
        self.lanes.stopping.set()
        for item, future in list(self.running.items()):
            if future.cancel():
                del self.running[item]
        self._grant()

    def _abandon(self) -> None:
        """End a broken session: release the threads and give the run back, if possible."""
        self.end = self.end or (None, "", {})
        self.lanes.stopping.set()
        for future in self.running.values():
            future.cancel()
        # Threads may still ask for leave: answer until all have ended.
        waiting = [future for future in self.running.values() if not future.cancelled()]
        while any(not future.done() for future in waiting):
            events = self._next_events()
            for asked in [*self.asked, *(e for e in events if isinstance(e, Asked))]:
                asked.grant = Grant(Answer.REFUSED)
                asked.ready.set()
            self.asked = []
        try:
            self._give_back()
        except Exception:
            log.exception("The lease of run %s could not be given back", self.run.pk)

    def _give_back(self) -> None:
        for rest in (0.0, 0.0, 0.2, 1.0):
            try:
                self.ledger.close(None, "")
                return
            except (OperationalError, InterfaceError):
                connection.close()  # the next one of a pool may be broken as well
                time.sleep(rest)
        self.ledger.close(None, "")

    def _look(self) -> None:
        """Once a second: follow staff's decisions, renew the lease, show that this worker lives."""
        now = time.monotonic()
        if self.stop and self.stop.is_set():
            self._stop(State.PAUSED, pause_reasons.BY_HAND, run=self.run.pk)
        self.lanes.exchange()
        if now - self.looked >= LOOK:
            self.looked = now
            if self.ledger.look() != State.RUNNING:
                self._stop(None, "")
        if now - self.renewed >= RENEW:
            self.renewed = now
            self.ledger.renew()
        if self.heartbeat and now - self.beat_at >= RENEW:
            self.beat_at = now
            self.heartbeat()
