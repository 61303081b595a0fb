"""Working on a run: what is asked next, and by how many threads.

One coordinator (the calling thread) claims, grants, writes and decides; the threads only talk to
the model. Task by task: one response goes first and warms the provider's prefix cache, then its
siblings go together; while one task warms up, others keep the places busy.
"""

import itertools
import logging
import queue
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.db import reset_queries
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from judge import leases, providers
from judge.engine import asking, material
from judge.engine.asking import (
    Asked,
    BudgetError,
    Called,
    Ended,
    Found,
    Gate,
    Job,
    Left,
    ProviderRefusalError,
)
from judge.engine.budget import Answer, Grant
from judge.engine.ledger import LeaseLostError, Ledger, want
from judge.models import JudgeRun, RunItem
from judge.providers import ErrorKind
from judge.providers.retry import Policy, limiter_for

log = logging.getLogger(__name__)

CHUNK = 64  # responses claimed at once
BATCH = 256  # events written at once
LOOK = 1.0  # seconds between looks at what staff want
RENEW = 10.0  # seconds without a write before the lease is renewed
MATERIALS = 16  # tasks' materials kept

State = JudgeRun.State
WORKABLE = (State.WAITING, State.RUNNING)

# Errors that say more about the provider than about one response.
_OUTAGE = frozenset(
    {
        ErrorKind.RATE_LIMITED.value,
        ErrorKind.TIMEOUT.value,
        ErrorKind.SERVER.value,
        ErrorKind.CONNECTION.value,
        ErrorKind.BAD_REQUEST.value,
    }
)


def work_on_run(
    run: JudgeRun,
    *,
    token: str = "",
    policy: Policy | None = None,
    timeout: float | None = None,
    pulse: Callable[[], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    stop: threading.Event | None = None,
) -> bool:
    """Work on a run in this thread until it is through, stopped, paused or cancelled.

    Args:
        token: the lease token it was planned with; without one it is claimed now.
        policy: how often and how patiently a call is repeated.
        timeout: seconds one call may take; the installation's setting by default.
        pulse: called every few seconds, to show that this worker lives.
        on_progress: told (responses through, responses in all) after each write.
        stop: set it, and the run pauses after the calls under way.

    Returns False if another process works on the run, or it is not to be worked on.
    """
    token = token or leases.new_token()
    if not leases.claim_run(run.pk, token, states=WORKABLE):
        return False
    run.refresh_from_db()
    if not JudgeRun.objects.filter(pk=run.pk, lease=token, state__in=WORKABLE).update(
        state=State.RUNNING, reason="", started_at=run.started_at or timezone.now()
    ):
        # Staff paused or cancelled it between the claim and this line: their word stays.
        JudgeRun.objects.filter(pk=run.pk, lease=token).update(lease="", lease_until=None)
        run.refresh_from_db()
        return False
    session = _Session(run, token, policy or Policy(), timeout or settings.MODEL_TIMEOUT)
    session.pulse = pulse
    session.on_progress = on_progress
    session.stop = stop
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

    def __init__(self, run: JudgeRun, token: str, policy: Policy, timeout: float) -> None:
        provider = providers.get(run.provider)
        self.run = run
        self.ledger = Ledger(run, token)
        self.budget = self.ledger.budget
        self.events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.gate = Gate(
            run,
            provider,
            tell=self.events.put,
            limiter=limiter_for(provider, ceiling=run.concurrency),
            policy=policy,
            timeout=timeout,
            ask_leave=self.budget.limited,
        )
        self.warms = not provider.offline
        # A few threads more than calls: one that waits to ask again leaves its place to others.
        self.threads = run.concurrency + (max(2, run.concurrency // 4) if self.warms else 0)
        self.backlog = self.threads + max(2, run.concurrency // 4)
        self.pulse: Callable[[], None] | None = None
        self.on_progress: Callable[[int, int], None] | None = None
        self.stop: threading.Event | None = None
        self.groups = self._groups(self._waiting())
        self.total = RunItem.objects.filter(run=run).exclude(state=RunItem.State.SKIPPED).count()
        self.through = self.total - self._waiting().count()
        self.materials: OrderedDict[tuple[int, int | None], material.Material] = OrderedDict()
        self.ready: deque[Job] = deque()  # their task's prefix is warm
        self.cold: deque[list[Job]] = deque()  # one list per task not begun
        self.warming: dict[int, list[Job]] = {}  # task -> siblings of the one under way
        self.warm: set[int] = set()  # tasks of which a reply has come back
        self.deferred: list[int] = []
        self.asked: list[Asked] = []  # waiting for money that calls under way may leave over
        self.running: dict[int, Future[None]] = {}  # item -> its future
        self.end: tuple[str | None, str] | None = None
        self.failures_in_a_row = 0
        self.looked = self.renewed = self.pulsed = time.monotonic()

    # -- the loop ---------------------------------------------------------------------------------

    def work(self) -> None:
        """Until nothing is left or there is a reason to end; always gives the lease back."""
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix=f"run-{self.run.pk}")
        try:
            while True:
                if self.end is None:
                    self._fill(pool)
                if not self.running and not self._later():
                    break
                self._handle(self._next_events())
                self._look()
            state, reason = self.end or (State.FINISHED, "")
            self.ledger.close(state, reason)
        except BaseException:
            self._abandon()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _later(self) -> bool:
        """Whether responses that another run is judging are worth waiting for."""
        if self.end is not None or not self.deferred:
            return False
        self.groups = self._groups(self._waiting().filter(pk__in=self.deferred))
        self.deferred = []
        time.sleep(LOOK / 2)
        return True

    def _fill(self, pool: ThreadPoolExecutor) -> None:
        while len(self.running) < self.backlog:
            if not self.ready and not self.cold:
                self._load()
            if self.ready:
                job = self.ready.popleft()
            elif self.cold:
                job, *siblings = self.cold.popleft()
                if self.warms:
                    self.warming[job.task] = siblings
                else:
                    self.ready.extend(siblings)
            else:
                return
            self.running[job.item] = pool.submit(asking.judge, self.gate, job)

    def _next_events(self) -> list[Any]:
        try:
            first = self.events.get(timeout=LOOK / 2)
        except queue.Empty:
            return []
        found = [first]
        while len(found) < BATCH:
            try:
                found.append(self.events.get_nowait())
            except queue.Empty:
                break
        return found

    def _handle(self, events: list[Any]) -> None:
        records = [event for event in events if isinstance(event, Called | Found | Ended)]
        self.asked += [event for event in events if isinstance(event, Asked)]
        reset_queries()  # with DEBUG Django keeps the text of every statement, whole prompts too
        try:
            if records:
                self.ledger.write(records)
                self.renewed = time.monotonic()
        finally:
            for event in records:
                if isinstance(event, Ended):
                    event.written.set()
        self._grant()
        for event in events:
            if isinstance(event, Found | Ended | Left):
                self.warm.add(event.job.task)
                self.ready.extend(self.warming.pop(event.job.task, ()))
            if isinstance(event, Ended):
                self._ended(event)
            elif isinstance(event, Left):
                self._left(event)
        if self.on_progress and any(isinstance(event, Ended) for event in events):
            self.on_progress(self.through, self.total)

    def _grant(self) -> None:
        """Answer the threads that ask for leave, after what was granted is on record."""
        if not self.asked:
            return
        ceiling = self.run.parameters.get("max_tokens")
        later: list[Asked] = []
        answered: list[Asked] = []
        for asked in self.asked:
            if self.end is not None:
                asked.grant = Grant(Answer.REFUSED)
            else:
                asked.grant = self.budget.ask(asked.input_tokens, asked.output_tokens, ceiling)
            (later if asked.grant.answer is Answer.LATER else answered).append(asked)
        if any(asked.grant and asked.grant.answer is Answer.GRANTED for asked in answered):
            self.ledger.write([], started=True)
        self.asked = later
        for asked in answered:
            asked.ready.set()

    def _ended(self, event: Ended) -> None:
        self.running.pop(event.job.item, None)
        self.through += 1
        if event.reasons and set(event.reasons.values()) <= _OUTAGE:
            self.failures_in_a_row += 1
        else:
            self.failures_in_a_row = 0
        limit = max(20, 2 * self.run.concurrency)
        if self.failures_in_a_row >= limit:
            reason = next(iter(event.reasons.values()))
            self._stop(
                State.PAUSED,
                _("Paused: %(n)s responses in a row brought no answer (%(reason)s).")
                % {"n": self.failures_in_a_row, "reason": reason},
            )

    def _left(self, event: Left) -> None:
        self.running.pop(event.job.item, None)
        if isinstance(event.cause, BudgetError):
            self._stop(State.STOPPED, self._budget_reason())
        elif isinstance(event.cause, ProviderRefusalError):
            label = self.gate.provider.label
            self._stop(
                State.PAUSED,
                _("Paused: %(provider)s refuses the calls. %(detail)s")
                % {"provider": label, "detail": event.cause.error.detail},
            )
        elif not isinstance(event.cause, asking.RunStopError):
            self.through += 1
            self.ledger.broke(event.job)

    def _budget_reason(self) -> str:
        if self.budget.calls is not None and self.budget.started >= self.budget.calls:
            return _("Stopped: the limit of %(n)s calls is used up.") % {"n": self.budget.calls}
        return _("Stopped: the budget of $%(budget)s has no room for another call.") % {
            "budget": f"{(self.budget.micro or 0) / 1_000_000:,.2f}"
        }

    # -- stopping ---------------------------------------------------------------------------------

    def _stop(self, state: str | None, reason: str) -> None:
        """Begin nothing new; calls under way are still stored. The first reason counts."""
        if self.end is not None:
            return
        self.end = (state, reason)
        self.gate.stopping.set()
        for item, future in list(self.running.items()):
            if future.cancel():
                del self.running[item]
        self._grant()

    def _abandon(self) -> None:
        """The session breaks: let the threads go and give the run back, as far as possible."""
        self.end = self.end or (None, "")
        self.gate.stopping.set()
        for future in self.running.values():
            future.cancel()
        # Threads may still be asking for leave; they are answered until all have gone.
        waiting = [future for future in self.running.values() if not future.cancelled()]
        while any(not future.done() for future in waiting):
            events = self._next_events()
            for asked in [*self.asked, *(e for e in events if isinstance(e, Asked))]:
                asked.grant = Grant(Answer.REFUSED)
                asked.ready.set()
            for event in events:
                if isinstance(event, Ended):
                    event.written.set()
            self.asked = []
        try:
            self.ledger.close(None, "")
        except Exception:
            log.exception("The lease of run %s could not be given back", self.run.pk)

    def _look(self) -> None:
        """Now and then: what do staff want, does the lease hold, does this worker show life."""
        now = time.monotonic()
        if self.stop and self.stop.is_set():
            self._stop(
                State.PAUSED,
                _("Paused by hand. Continue it with --resume %(run)s.") % {"run": self.run.pk},
            )
        if now - self.looked >= LOOK:
            self.looked = now
            state = JudgeRun.objects.values_list("state", flat=True).get(pk=self.run.pk)
            if state != State.RUNNING:
                self._stop(None, "")
        if now - self.renewed >= RENEW:
            self.renewed = now
            self.ledger.renew()
        if self.pulse and now - self.pulsed >= RENEW:
            self.pulsed = now
            self.pulse()

    # -- loading ----------------------------------------------------------------------------------

    def _waiting(self) -> "QuerySet[RunItem]":
        return RunItem.objects.filter(run=self.run, state=RunItem.State.WAITING)

    @staticmethod
    def _groups(items: "QuerySet[RunItem]") -> Iterator[list[int]]:
        """Ids of waiting items, task by task, in chunks that never tear a small task apart."""
        rows = list(
            items.order_by("response__task_id", "pk").values_list("response__task_id", "pk")
        )
        chunk: list[int] = []
        for _task, group in itertools.groupby(rows, key=lambda row: row[0]):
            pks = [pk for _task_id, pk in group]
            if chunk and len(chunk) + len(pks) > CHUNK:
                yield chunk
                chunk = []
            chunk += pks
            while len(chunk) > CHUNK:
                yield chunk[:CHUNK]
                chunk = chunk[CHUNK:]
        if chunk:
            yield chunk

    def _load(self) -> None:
        """Claim the next chunk that needs calls."""
        for pks in self.groups:
            items = RunItem.objects.filter(pk__in=pks, state=RunItem.State.WAITING)
            rows = items.select_related("response", "version").order_by("response__task_id", "pk")
            wanted = [want(self.run, item, self._material(item)) for item in rows]
            jobs, deferred = self.ledger.claim(wanted)
            self.deferred += deferred
            self.through += len(wanted) - len(jobs) - len(deferred)
            for task, group in itertools.groupby(jobs, key=lambda job: job.task):
                if task in self.warm:
                    self.ready.extend(group)
                elif task in self.warming:
                    self.warming[task] += group
                else:
                    self.cold.append(list(group))
            if jobs:
                return

    def _material(self, item: RunItem) -> material.Material:
        name = (item.version_id or 0, item.exemplar_id)
        if name not in self.materials:
            self.materials[name] = material.load(item)
            while len(self.materials) > MATERIALS:
                self.materials.popitem(last=False)
        return self.materials[name]
