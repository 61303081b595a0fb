"""Questions to a model outside of runs: drafts, baseline answers, probes. Every call is stored."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from curation.tasks.models import Task
from curation.web.refusals import BadInput
from judge import providers
from judge.calls.models import Call
from judge.calls.stored_requests import kept
from judge.prices import cost as pricing
from judge.providers.base import ErrorKind, Prompt, Provider, ProviderError, Reply, Stop, Usage
from judge.providers.offline import DEFAULT_MODEL
from judge.providers.retry import Attempt, Event, Policy, call_with_retries

# Shorter than a run's patience: a person waits for the stage behind it, and there is a way out.
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


class UnusableReplyError(Exception):
    """A reply came, and it cannot be used; the message is the reason."""


def offline() -> Chosen:
    """The embedded rules."""
    return Chosen(providers.get("offline"), DEFAULT_MODEL)


def chosen(spec: str) -> Chosen:
    """What a setting such as "openai:gpt-x" names; the offline rules where it is empty.

    A key alone is no order to spend money: without a named model nothing is asked of a vendor.
    Raises BadInput for an unknown provider or a missing model.
    """
    if not spec:
        return offline()
    name, _colon, model = spec.partition(":")
    name, model = name.strip(), model.strip()
    if name not in providers.names():
        raise BadInput(
            _("There is no provider “%(name)s”. There are: %(known)s.")
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
    task: Task,
    keep: Callable[[Call, Reply], None] | None = None,
) -> Reply:
    """Ask once, with retries. To be called outside of any transaction.

    `keep` stores what came of a complete reply, in the transaction that stores its call: after a
    crash either both are there or none.

    Raises ProviderError when no reply came, UnusableReplyError when it was cut, refused or
    filtered.
    """
    rates = pricing.rates_for(who.provider.name, who.model)

    def store(attempt: Attempt) -> None:
        if attempt.event is Event.STARTING:
            return
        reply, error = attempt.reply, attempt.error
        usage = reply.usage if reply else Usage(None, None, None)
        cost = rates.cost(usage) if rates else None
        if error is not None and error.kind in UNBILLED:
            cost = 0
        with transaction.atomic():
            call = Call.objects.create(
                purpose=purpose,
                provider=who.provider.name,
                model=who.model,
                task=task,
                attempt=attempt.number,
                prompt_sha256=prompt.sha256,
                prompt_version=prompt.prompt_version,
                request=kept((reply or error).request, prompt),  # type: ignore[union-attr]
                reply=storable(reply.raw if reply else error.raw if error else ""),
                error=error.kind.value if error else _stop(reply),
                detail=storable(error.detail) if error else "",
                input_tokens=usage.input_tokens,
                cached_tokens=usage.cached_tokens,
                cache_write_tokens=usage.cache_write_tokens,
                output_tokens=usage.output_tokens,
                cost_micro=cost,
                seconds=(reply.seconds if reply else error.seconds if error else 0.0) or 0.0,
            )
            if keep is not None and reply is not None and reply.stop is Stop.COMPLETE:
                keep(call, reply)

    reply = call_with_retries(
        who.provider,
        prompt,
        model=who.model,
        parameters={},
        timeout=settings.MODEL_TIMEOUT,
        policy=POLICY,
        on_attempt=store,
    )
    if reply.stop is not Stop.COMPLETE:
        raise UnusableReplyError(_stop(reply))
    return reply


def storable(text: str) -> str:
    """Without NUL, which PostgreSQL does not take, and lone surrogates, which nothing takes."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def reason_of(problem: Exception) -> str:
    """Why a question brought nothing, in a few words for the record."""
    if isinstance(problem, ProviderError):
        return storable(f"{problem.kind.value.replace('_', ' ')}: {problem.detail}")[:500]
    return storable(str(problem) or type(problem).__name__)[:500]


def _stop(reply: Reply | None) -> str:
    return "" if reply is None or reply.stop is Stop.COMPLETE else reply.stop.value


# Refused before a model ran: no vendor bills these.
UNBILLED = frozenset(
    {
        ErrorKind.RATE_LIMITED,
        ErrorKind.AUTH,
        ErrorKind.BAD_REQUEST,
        ErrorKind.UNKNOWN_MODEL,
        ErrorKind.CONTEXT_TOO_LONG,
    }
)
