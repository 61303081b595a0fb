"""Answers of candidates, written by their providers in the background.

One thread keeps the books (budget, rows), a few others only call. Every attempt is stored; an
answer's row and the response are stored together, so that nothing is lost or doubled by a crash.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Max, Min, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation import text
from curation.models import Task
from judge import builder, machine, pricing, providers
from judge.engine.budget import Answer, Budget, Grant
from judge.engine.material import task_text
from judge.models import Call, Generation, GenerationItem, Response
from judge.providers import Prompt, Provider, ProviderError, Reply, Stop
from judge.providers.retry import Policy, call_with_retries

State = GenerationItem.State
MOST_ATTEMPTS = 4  # of one answer
LONGEST_WAIT = 600  # seconds until a failed attempt is repeated
EXPECTED_OUTPUT = 2_000  # tokens of an answer; what a tight budget must at least leave room for

# Stored in English; whoever reads the page reads it in their language.
OUT_OF_BUDGET = gettext_noop("Paused: the next answer could cost more than the budget has left.")
OUT_OF_CALLS = gettext_noop("Paused: the calls that were allowed are used up.")
REFUSED_US = gettext_noop("Paused: the provider refuses every call. %(problem)s")
BROKE = gettext_noop("Paused: %(problem)s")
NO_ANSWER = {
    Stop.TRUNCATED: gettext_noop("the answer was truncated"),
    Stop.FILTERED: gettext_noop("the answer was filtered"),
}
EMPTY = gettext_noop("the answer is empty")

_ONCE = Policy(most=1)  # repeated here, so that every attempt is asked of the budget
_OURS = ("auth", "unknown_model", "bad_request")  # no answer will ever come this way


def waiting() -> Any:
    """Generations with an answer that can be asked for now."""
    ready = GenerationItem.objects.filter(state=State.WAITING, not_before__lte=timezone.now())
    return Generation.objects.filter(
        state=Generation.State.WAITING, pk__in=ready.values("generation")
    )


@dataclass(frozen=True)
class _Asked:
    item: GenerationItem
    task: Task
    prompt: Prompt
    grant: Grant


def generate(generation: Generation, *, pulse: Callable[[], None] = lambda: None) -> int:
    """Ask until nothing is ready, the budget says no, or staff stop it. Returns answers handled.

    `pulse` is called between calls and may raise, when another worker has taken over.
    """
    provider = providers.get(generation.provider)
    rates = pricing.rates_for(generation.provider, generation.model)
    budget = Budget(
        rates=rates,
        micro=generation.budget_micro,
        calls=generation.max_calls,
        started=generation.calls,
        spent=generation.spent_micro,
        dearest=generation.dearest_micro,
    )
    handled = 0
    with ThreadPoolExecutor(max_workers=generation.concurrency) as pool:
        under_way: dict[Future[Reply | ProviderError], _Asked] = {}
        stop = ""
        while True:
            pulse()
            going = Generation.objects.filter(pk=generation.pk, state=Generation.State.WAITING)
            if not stop and not going.exists():
                stop = "stopped"
            while not stop and len(under_way) < generation.concurrency:
                asked, stop, later = _next(generation, budget, under_way.values())
                if asked is None or later:
                    break
                future = pool.submit(_call, provider, generation.model, asked)
                under_way[future] = asked
            if not under_way:
                break
            done, _rest = wait(under_way, return_when=FIRST_COMPLETED, timeout=20)
            for future in done:
                asked = under_way.pop(future)
                stop = _keep(generation, budget, asked, future.result()) or stop
                handled += 1
    if stop not in ("", "stopped", "empty"):
        pause(generation, stop)
    elif not GenerationItem.objects.filter(generation=generation, state=State.WAITING).exists():
        Generation.objects.filter(pk=generation.pk, state=Generation.State.WAITING).update(
            state=Generation.State.FINISHED, reason="", ended_at=timezone.now()
        )
    return handled


def pause(generation: Generation, reason: str, *, problem: str = "") -> None:
    """Rest with a reason; nothing under way is lost."""
    facts = {"problem": problem} if problem else {}
    Generation.objects.filter(pk=generation.pk, state=Generation.State.WAITING).update(
        state=Generation.State.PAUSED, reason=reason, **({"facts": facts} if facts else {})
    )


def _next(
    generation: Generation, budget: Budget, under_way: Any
) -> tuple[_Asked | None, str, bool]:
    """The next question with leave to ask it; or why there is none, or that it must wait."""
    held = [asked.item.pk for asked in under_way]
    item = (
        GenerationItem.objects.filter(
            generation=generation, state=State.WAITING, not_before__lte=timezone.now()
        )
        .exclude(pk__in=held)
        .select_related("task__domain")
        .order_by("task_id", "number")
        .first()
    )
    if item is None:
        return None, "", False
    prompt = builder.answer_prompt(task_text(item.task))
    tokens = pricing.tokens_of(prompt.prefix + prompt.suffix)
    grant = budget.ask(tokens, EXPECTED_OUTPUT)
    if grant.answer is Answer.LATER:
        return None, "", True
    if grant.answer is Answer.REFUSED:
        spent = budget.calls is not None and budget.started >= budget.calls
        return None, OUT_OF_CALLS if spent else OUT_OF_BUDGET, False
    # Counted before it is asked: a crash may waste a call, and never hides one.
    Generation.objects.filter(pk=generation.pk).update(calls=F("calls") + 1)
    GenerationItem.objects.filter(pk=item.pk).update(attempts=F("attempts") + 1)
    item.attempts += 1
    return _Asked(item, item.task, prompt, grant), "", False


def _call(provider: Provider, model: str, asked: _Asked) -> Reply | ProviderError:
    """One attempt, in a thread of its own. No database here."""
    parameters = {} if asked.grant.max_tokens is None else {"max_tokens": asked.grant.max_tokens}
    try:
        return call_with_retries(
            provider,
            asked.prompt,
            model=model,
            parameters=parameters,
            timeout=settings.MODEL_TIMEOUT,
            policy=_ONCE,
        )
    except ProviderError as error:
        return error


@transaction.atomic
def _keep(
    generation: Generation, budget: Budget, asked: _Asked, came: Reply | ProviderError
) -> str:
    """Store an attempt and what follows from it. Returns why to stop, or nothing."""
    error = came if isinstance(came, ProviderError) else None
    reply = came if isinstance(came, Reply) else None
    cost = budget.cost(reply.usage) if reply else None
    charged = budget.settle(asked.grant.reserved, cost, error=error.kind if error else None)
    Generation.objects.filter(pk=generation.pk).update(
        spent_micro=F("spent_micro") + charged, dearest_micro=budget.dearest
    )
    Call.objects.create(
        purpose=Call.Purpose.ANSWER,
        provider=generation.provider,
        model=generation.model,
        task=asked.task,
        attempt=asked.item.attempts,
        prompt_sha256=asked.prompt.sha256,
        prompt_version=asked.prompt.prompt_version,
        request=came.request or {},
        reply=machine.storable(came.raw or ""),
        error=_code(came),
        detail=machine.storable(error.detail) if error else "",
        input_tokens=reply.usage.input_tokens if reply else None,
        cached_tokens=reply.usage.cached_tokens if reply else None,
        cache_write_tokens=reply.usage.cache_write_tokens if reply else None,
        output_tokens=reply.usage.output_tokens if reply else None,
        cost_micro=charged if error is not None and budget.rates is not None else cost,
        seconds=came.seconds or 0.0,
    )
    if reply is not None:
        _keep_reply(generation, asked.item, reply, cost)
        return ""
    assert error is not None
    problem = machine.reason_of(error)
    if error.kind.value in _OURS:
        return REFUSED_US % {"problem": problem}
    if error.kind.retryable and asked.item.attempts < MOST_ATTEMPTS:
        pause_for = error.retry_after or 2.0**asked.item.attempts
        GenerationItem.objects.filter(pk=asked.item.pk).update(
            not_before=timezone.now() + timedelta(seconds=min(pause_for, LONGEST_WAIT)),
            problem=problem,
        )
    else:
        _fail(asked.item, problem)
    return ""


def _code(came: Reply | ProviderError) -> str:
    """How an attempt ended, as calls record it; "" is fine."""
    if isinstance(came, ProviderError):
        return came.kind.value
    return "" if came.stop is Stop.COMPLETE else came.stop.value


def _keep_reply(
    generation: Generation, item: GenerationItem, reply: Reply, cost: int | None
) -> None:
    """A whole answer, or a refusal in words, is a response; a cut or empty one is none."""
    words = machine.storable(reply.text).replace("\r\n", "\n").replace("\r", "\n")
    if reply.stop in NO_ANSWER:
        _fail(item, NO_ANSWER[reply.stop])
        return
    if text.is_blank(words):
        _fail(item, EMPTY)
        return
    last = Response.objects.filter(task=item.task_id, candidate=generation.candidate_id)
    sample = (last.aggregate(n=Max("sample"))["n"] or 0) + 1
    response = Response.objects.create(
        key=f"{generation.pk}-{item.pk}-{item.task.key}"[:200],
        task_id=item.task_id,
        candidate_id=generation.candidate_id,
        sample=sample,
        text=words,
        source=Response.Source.GENERATED,
        latency_ms=round(reply.seconds * 1000),
        cost_micro=cost,
        input_tokens=reply.usage.input_tokens,
        output_tokens=reply.usage.output_tokens,
    )
    GenerationItem.objects.filter(pk=item.pk).update(
        state=State.DONE, response=response, problem=""
    )


def _fail(item: GenerationItem, problem: str) -> None:
    GenerationItem.objects.filter(pk=item.pk).update(state=State.FAILED, problem=problem)


def counts(generations: Any) -> dict[int, dict[str, Any]]:
    """Generation -> its answers by state, and when the next one can be asked. One query."""
    rows = (
        GenerationItem.objects.filter(generation__in=generations)
        .order_by()
        .values("generation")
        .annotate(
            all=Count("id"),
            done=Count("id", filter=Q(state=State.DONE)),
            failed=Count("id", filter=Q(state=State.FAILED)),
            waiting=Count("id", filter=Q(state=State.WAITING)),
            next=Min("not_before", filter=Q(state=State.WAITING)),
        )
    )
    return {row["generation"]: dict(row) for row in rows}
