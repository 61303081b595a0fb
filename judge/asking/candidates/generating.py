"""Have a candidate's provider answer tasks, in the background.

One thread writes (`judge.asking.candidates.ledger`); the threads of a pool only call. However a
session ends, replies that came are stored. The next session closes attempts that a dead process
left open.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.base.process.states import move
from judge.asking import providers
from judge.asking.calls.pool import CallPool, StoppedError
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.ledger import REFUSED_US, STOPPED, Asked, Came, OrderLedger
from judge.asking.providers.retry import Policy

State = GenerationItem.State

# Stored in English, shown in the reader's language.
BROKE = gettext_noop("Paused: %(problem)s")
DIED = gettext_noop("Paused: the worker died several times without getting any further.")

LOOK_EVERY = 1.0  # seconds between checks for a pause or cancellation

_ONCE = Policy(most=1)  # repeated here, so that every attempt is asked of the budget


def waiting_generations() -> Any:
    """Select the orders with an answer that can be asked for now."""
    ready = GenerationItem.objects.filter(state=State.WAITING, not_before__lte=timezone.now())
    return Generation.objects.filter(
        state=Generation.State.WAITING, pk__in=ready.values("generation")
    )


def generate(
    generation: Generation, *, heartbeat: Callable[[int], None] = lambda handled: None
) -> int:
    """Ask until nothing is ready, the budget is used up, or staff stop it.

    `heartbeat` is called between calls with the number of answers handled so far, and raises if
    another worker has taken over. Returns the number of answers handled.
    """
    heartbeat(0)
    Generation.objects.filter(pk=generation.pk).exclude(reason="").update(reason="")  # it waited
    session = _Session(generation)
    try:
        stop = session.work(heartbeat)
    finally:
        session.end()
    if stop not in ("", STOPPED):
        pause(generation, stop, problem=session.ledger.problem)
    elif not GenerationItem.objects.filter(generation=generation, state=State.WAITING).exists():
        mine = Generation.objects.filter(pk=generation.pk)
        move(mine, Generation.State.FINISHED, reason="", ended_at=timezone.now())
    return session.handled


class _Session:
    """The work of one worker on an order."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.provider = providers.get(generation.provider)
        self.ledger = OrderLedger(generation)
        self.pool = CallPool(
            self.provider,
            work=f"order-{generation.pk}",
            threads=generation.concurrency,
            policy=_ONCE,
        )
        self.under_way: dict[Future[Came], Asked] = {}
        self.handled = 0

    def work(self, heartbeat: Callable[[int], None]) -> str:
        """Ask and store. Return why it stopped, "" if nothing was left to ask."""
        stop = ""
        while True:
            heartbeat(self.handled)
            self.pool.exchange()
            if not Generation.objects.filter(
                pk=self.generation.pk, state=Generation.State.WAITING
            ).exists():
                stop = stop or STOPPED
                self.pool.stopping.set()
            while not stop and len(self.under_way) < self.generation.concurrency:
                found = self.ledger.next(list(self.under_way.values()))
                stop = found.stop
                if found.asked is None:
                    break
                self._send(found.asked)
            if not self.under_way:
                return stop
            done, _rest = wait(self.under_way, return_when=FIRST_COMPLETED, timeout=LOOK_EVERY)
            for future in done:
                stop = self._keep(future) or stop
                if stop in (
                    STOPPED,
                    REFUSED_US,
                ):  # attempts granted by the budget may otherwise still be sent
                    self.pool.stopping.set()

    def _send(self, asked: Asked) -> None:
        future = self.pool.submit(_call, self.pool, self.generation, asked)
        self.under_way[future] = asked

    def _keep(self, future: "Future[Came]") -> str:
        asked = self.under_way[future]
        came = StoppedError() if future.cancelled() else future.result()
        if isinstance(came, StoppedError):
            self.ledger.take_back(asked)
            stop = ""
        else:
            stop = self.ledger.keep(asked, came)
            self.handled += 1
        del self.under_way[future]  # last, so that end() stores the call if storing fails here
        return stop

    def end(self) -> None:
        """Store the calls still under way, however the session ends: they are paid for."""
        self.pool.stopping.set()
        self.pool.close()
        try:
            for future in list(self.under_way):
                self._keep(future)
        finally:
            self.pool.leave()


def _call(pool: CallPool, generation: Generation, asked: Asked) -> Came:
    """Make one attempt in a thread of the pool, without the database."""
    parameters = dict(generation.parameters)
    if asked.grant.max_tokens is not None:
        parameters["max_tokens"] = asked.grant.max_tokens
    try:
        return pool.ask(pool.provider, asked.prompt, model=generation.model, parameters=parameters)
    except Exception as problem:  # one broken answer does not end an order of many
        return problem


def give_up(generation: Generation, problem: str) -> None:
    """Pause an order that failed repeatedly; charge what its last session left open."""
    OrderLedger(generation)
    pause(generation, BROKE if problem else DIED, problem=problem)


def pause(generation: Generation, reason: str, *, problem: str = "") -> None:
    """Pause an order and record the reason."""
    waits = Generation.objects.filter(pk=generation.pk, state=Generation.State.WAITING)
    facts = waits.values_list("facts", flat=True).first() or {}
    if problem:
        facts["problem"] = problem
    move(waits, Generation.State.PAUSED, reason=reason, facts=facts)


def answer_counts(generations: Any) -> dict[int, dict[str, Any]]:
    """Return the counts of answers by state, by generation. One query."""
    rows = (
        GenerationItem.objects.filter(generation__in=generations)
        .order_by()
        .values("generation")
        .annotate(
            all=Count("id"),
            done=Count("id", filter=Q(state=State.DONE)),
            failed=Count("id", filter=Q(state=State.FAILED)),
            waiting=Count("id", filter=Q(state=State.WAITING)),
        )
    )
    return {row["generation"]: dict(row) for row in rows}
