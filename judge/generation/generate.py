"""Answers of candidates, written by their providers in the background.

One thread keeps the books (`answer_book`), a few others only call. Whatever ends a session, what
its calls have brought by then is stored; what a dead process leaves open the next session closes.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.process.states import move
from judge import providers
from judge.calls.pool import CallPool, StoppedError
from judge.generation.ledger import REFUSED_US, STOPPED, Asked, Book, Came
from judge.generation.models import Generation, GenerationItem
from judge.providers.retry import Policy

State = GenerationItem.State

# Stored in English; whoever reads the page reads it in their language.
BROKE = gettext_noop("Paused: %(problem)s")
DIED = gettext_noop("Paused: the worker died several times without getting any further.")

LOOK_EVERY = 1.0  # seconds between looks at what staff want

_ONCE = Policy(most=1)  # repeated here, so that every attempt is asked of the budget


def waiting() -> Any:
    """Generations with an answer that can be asked for now."""
    ready = GenerationItem.objects.filter(state=State.WAITING, not_before__lte=timezone.now())
    return Generation.objects.filter(
        state=Generation.State.WAITING, pk__in=ready.values("generation")
    )


def generate(generation: Generation, *, pulse: Callable[[int], None] = lambda handled: None) -> int:
    """Ask until nothing is ready, the budget says no, or staff stop it. Returns answers handled.

    `pulse` is called between calls with the number handled so far, and may raise, when another
    worker has taken over.
    """
    pulse(0)
    session = _Session(generation)
    try:
        stop = session.work(pulse)
    finally:
        session.end()
    if stop not in ("", STOPPED):
        pause(generation, stop, problem=session.book.problem)
    elif not GenerationItem.objects.filter(generation=generation, state=State.WAITING).exists():
        mine = Generation.objects.filter(pk=generation.pk)
        move(mine, Generation.State.FINISHED, reason="", ended_at=timezone.now())
    return session.handled


class _Session:
    """One worker's time with an order."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.provider = providers.get(generation.provider)
        self.book = Book(generation)
        self.pool = CallPool(
            self.provider,
            work=f"order-{generation.pk}",
            threads=generation.concurrency,
            policy=_ONCE,
        )
        self.under_way: dict[Future[Came], Asked] = {}
        self.handled = 0

    def work(self, pulse: Callable[[int], None]) -> str:
        """Ask and store; why it stopped, "" when there was nothing more to ask."""
        stop = ""
        while True:
            pulse(self.handled)
            self.pool.exchange()
            if not Generation.objects.filter(
                pk=self.generation.pk, state=Generation.State.WAITING
            ).exists():
                stop = stop or STOPPED
                self.pool.stopping.set()
            while not stop and len(self.under_way) < self.generation.concurrency:
                found = self.book.next(list(self.under_way.values()))
                stop = found.stop
                if found.asked is None:
                    break
                self._send(found.asked)
            if not self.under_way:
                return stop
            done, _rest = wait(self.under_way, return_when=FIRST_COMPLETED, timeout=LOOK_EVERY)
            for future in done:
                stop = self._keep(future) or stop
                if stop in (STOPPED, REFUSED_US):  # what a budget granted may still be sent
                    self.pool.stopping.set()

    def _send(self, asked: Asked) -> None:
        future = self.pool.submit(_call, self.pool, self.generation.model, asked)
        self.under_way[future] = asked

    def _keep(self, future: "Future[Came]") -> str:
        asked, came = self.under_way[future], future.result()
        if isinstance(came, StoppedError):
            self.book.take_back(asked)
            stop = ""
        else:
            stop = self.book.keep(asked, came)
            self.handled += 1
        del self.under_way[future]  # only now: what breaks meanwhile is tried once more
        return stop

    def end(self) -> None:
        """Store what is still under way, however the session ends: it has been paid for."""
        self.pool.stopping.set()
        self.pool.close()
        try:
            for future in list(self.under_way):
                self._keep(future)
        finally:
            self.pool.leave()


def _call(pool: CallPool, model: str, asked: Asked) -> Came:
    """One attempt, in a thread of its own. No database here."""
    parameters = {} if asked.grant.max_tokens is None else {"max_tokens": asked.grant.max_tokens}
    try:
        return pool.ask(pool.provider, asked.prompt, model=model, parameters=parameters)
    except Exception as problem:  # an order of many answers does not end with one that breaks
        return problem


def give_up(generation: Generation, problem: str) -> None:
    """Pause what broke, or died, again and again; what its last session left open is charged."""
    Book(generation)
    pause(generation, BROKE if problem else DIED, problem=problem)


def pause(generation: Generation, reason: str, *, problem: str = "") -> None:
    """Rest with a reason; nothing under way is lost."""
    waits = Generation.objects.filter(pk=generation.pk, state=Generation.State.WAITING)
    facts = waits.values_list("facts", flat=True).first() or {}
    if problem:
        facts["problem"] = problem
    move(waits, Generation.State.PAUSED, reason=reason, facts=facts)


def counts(generations: Any) -> dict[int, dict[str, Any]]:
    """Generation -> its answers by state. One query."""
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
