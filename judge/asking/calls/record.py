"""How every attempt to ask a model is stored: runs, generated answers, drafts, opinions, probes."""

from typing import Any

from judge.asking.calls.cost import Rates
from judge.asking.calls.models import Call
from judge.asking.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop, Usage

UNBILLED = frozenset(
    {
        ErrorKind.RATE_LIMITED,
        ErrorKind.AUTH,
        ErrorKind.BAD_REQUEST,
        ErrorKind.UNKNOWN_MODEL,
        ErrorKind.CONTEXT_TOO_LONG,
        ErrorKind.PICTURE_GONE,
    }
)
"""Refused before a model ran: no vendor bills these."""

BROKE = "broke"
"""The code of an attempt that failed on our side."""

CUT = "The reply needs more output tokens than it may have."
ALL_THOUGHTS = "All output tokens went into the model's thoughts: it needs more of them."

MAX_DETAIL = 2_000  # characters of an error's detail that are kept


def call_of(prompt: Prompt, came: Reply | Exception, **names: Any) -> Call:
    """Return the unsaved row of one attempt.

    Args:
        prompt: what was asked.
        came: the reply, or what was raised instead.
        names: whose call it is and what it is charged with: purpose, provider, model, task, run,
            judgment, batch, attempt, cost_micro.
    """
    usage = usage_of(came)
    told = came if isinstance(came, Reply | ProviderError) else None
    fields: dict[str, Any] = {
        "prompt_sha256": prompt.sha256,
        "prompt_version": prompt.prompt_version,
        "request": told.request if told else {},
        "reply": storable(told.raw if told else ""),
        "error": code_of(came),
        "detail": storable(_detail_of(came))[:MAX_DETAIL],
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
        "seconds": (told.seconds if told else None) or 0.0,
    }
    return Call(**{**fields, **names})


def usage_of(came: Reply | Exception) -> Usage:
    """Return the tokens of an attempt, whether or not its reply can be used."""
    told = came.usage if isinstance(came, Reply | ProviderError) else None
    return told or Usage(None, None, None)


def cost_of(came: Reply | Exception, rates: Rates | None, *, batch: bool = False) -> int | None:
    """Return the micro-dollars of an attempt; None where its price or its tokens are unknown.

    What was refused before a model ran costs nothing, and a batch bills answered questions only.
    """
    cost = rates.cost(usage_of(came), batch=batch) if rates else None
    if cost is None and isinstance(came, ProviderError) and (batch or came.kind in UNBILLED):
        return 0
    return cost


def code_of(came: Reply | Exception) -> str:
    """Return how an attempt ended: an `ErrorKind`, a `Stop`, `BROKE`, or "" for a whole reply."""
    if isinstance(came, Reply):
        return "" if came.stop is Stop.COMPLETE else came.stop.value
    return came.kind.value if isinstance(came, ProviderError) else BROKE


def storable(text: str) -> str:
    """Drop NUL, which PostgreSQL does not take, and replace lone surrogates."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def storable_data(data: Any) -> Any:
    """Return JSON data whose texts can be stored, names of objects included."""
    if isinstance(data, str):
        return storable(data)
    if isinstance(data, dict):
        return {storable(name): storable_data(value) for name, value in data.items()}
    return [storable_data(value) for value in data] if isinstance(data, list) else data


def reason_of(problem: Exception) -> str:
    """Return in a few words why a question failed; at most 500 characters."""
    if isinstance(problem, ProviderError):
        return storable(f"{problem.kind.value.replace('_', ' ')}: {problem.detail}")[:500]
    return storable(str(problem) or type(problem).__name__)[:500]


def _detail_of(came: Reply | Exception) -> str:
    if isinstance(came, Reply):
        if came.stop is not Stop.TRUNCATED:
            return ""
        return CUT if came.text.strip() else ALL_THOUGHTS
    return came.detail if isinstance(came, ProviderError) else repr(came)
