"""Questions to a model outside of runs: drafts, baseline answers, probes. Every call is stored."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.asking import providers
from judge.asking.calls.budgets import charged_in_month, why_no_call
from judge.asking.calls.cost import Rates, prompt_tokens, rates_for
from judge.asking.calls.models import Call
from judge.asking.calls.record import call_of, cost_of
from judge.asking.providers.base import MAX_OUTPUT_TOKENS, Prompt, Provider, Reply, Stop
from judge.asking.providers.limiter import limiter_for
from judge.asking.providers.offline import DEFAULT_MODEL
from judge.asking.providers.retry import Attempt, Event, Policy, call_with_retries, more_tokens
from judge.base.queue import watchdog

# Shorter than the patience of a run: people wait for the result, and there is a fallback.
POLICY = Policy(most=4, longest=20.0, patience=30.0)


@dataclass(frozen=True)
class Chosen:
    """A provider and the model to ask."""

    provider: Provider
    model: str

    @property
    def label(self) -> str:
        """As shown to people: "offline rules-1"."""
        return f"{self.provider.name} {self.model}"

    @property
    def spec(self) -> str:
        """As settings name it: "offline:rules-1"."""
        return f"{self.provider.name}:{self.model}"


class UnusableReplyError(Exception):
    """A reply came that cannot be used; the message is the reason."""


class OverBudgetError(UnusableReplyError):
    """The monthly budget of the purpose allows no call; nothing was asked."""


def offline() -> Chosen:
    """Return the embedded offline rules."""
    return Chosen(providers.get("offline"), DEFAULT_MODEL)


def chosen(spec: str) -> Chosen:
    """Return what a setting such as "openai:gpt-x" names; the offline rules if it is empty.

    An API key alone spends no money: without a named model no vendor is asked.
    Raises BadInput for an unknown provider or a missing model.
    """
    if not spec:
        return offline()
    name, _colon, model = spec.partition(":")
    name, model = name.strip(), model.strip()
    if name not in providers.names():
        raise BadInput(
            _("There is no provider “%(name)s”. Available: %(known)s.")
            % {"name": name, "known": ", ".join(providers.names())}
        )
    provider = providers.get(name)
    if not model and not provider.offline:
        raise BadInput(
            _("Name the model after the provider, as in %(name)s:MODEL.") % {"name": name}
        )
    return Chosen(provider, model or DEFAULT_MODEL)


def ask(
    who: Chosen,
    prompt: Prompt,
    *,
    purpose: str,
    task: Task | None,
    parameters: Mapping[str, Any] | None = None,
    keep: Callable[[Call, Reply], None] | None = None,
    on_call: Callable[[Call], None] = lambda call: None,
    policy: Policy = POLICY,
    timeout: float | None = None,
) -> Reply:
    """Ask one question, with retries. Call it outside of any transaction.

    Args:
        task: what it is about; None for a test.
        parameters: by our names (`judge.asking.endpoints.parameters`).
        keep: stores the outcome of a complete reply in the transaction that stores its call, so
            that after a crash either both exist or neither.
        on_call: gets each stored call, failed ones too.
        policy: how often and how patiently the call is repeated.
        timeout: seconds one call may take; the installation's setting by default.

    Raises ProviderError when no reply came, UnusableReplyError when it was cut, refused or
    filtered, OverBudgetError when the monthly budget of the purpose allows no call.
    """
    rates = rates_for(who.provider.name, who.model)
    refused = "" if who.provider.offline else why_no_call(purpose, rates, who.spec)
    if refused:
        raise OverBudgetError(refused)

    def bound(rates: Rates, asked: Mapping[str, Any]) -> int:
        output = asked.get("max_tokens") or MAX_OUTPUT_TOKENS
        return rates.bound(prompt_tokens(prompt, asked), output)

    def store(attempt: Attempt) -> None:
        watchdog.sign_of_life()  # a piece of work may wait for many slow calls
        if attempt.event is Event.STARTING:
            return
        came = attempt.reply or attempt.error
        assert came is not None
        cost = cost_of(came, rates)
        if cost is None and rates:
            most = bound(rates, attempt.parameters)
            cost = charged_in_month(purpose, who.provider.name, who.model, most)
        call = call_of(
            prompt,
            came,
            purpose=purpose,
            provider=who.provider.name,
            model=who.model,
            task=task,
            attempt=attempt.number,
            cost_micro=cost,
        )
        with transaction.atomic():
            call.save()
            if keep is not None and isinstance(came, Reply) and came.stop is Stop.COMPLETE:
                keep(call, came)
        on_call(call)

    reply = call_with_retries(
        who.provider,
        prompt,
        model=who.model,
        parameters=parameters or {},
        timeout=timeout or settings.MODEL_TIMEOUT,
        policy=policy,
        on_attempt=store,
        limiter=limiter_for(who.provider),
        # What staff set, or what the model writes at most, stays.
        more=None if "max_tokens" in (parameters or {}) else more_tokens({}),
    )
    if reply.stop is not Stop.COMPLETE:
        raise UnusableReplyError(reply.stop.value)
    return reply
