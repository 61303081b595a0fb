"""The shape of every model call: a provider turns a `Prompt` into a `Reply` or raises.

A `ProviderError` says by its `kind` what went wrong. A provider never retries, never sleeps and
never decides what a failure means: `retry.py` does the first two, the caller the third.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from judge.providers.batching import Batches

MAX_OUTPUT_TOKENS = 16_000
"""Tokens a reply may have if the parameters do not say; cost estimates use it too."""


class ErrorKind(StrEnum):
    """Why a call brought no reply."""

    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    SERVER = "server"
    CONNECTION = "connection"
    AUTH = "auth"
    BAD_REQUEST = "bad_request"
    CONTEXT_TOO_LONG = "context_too_long"
    CONTENT_FILTER = "content_filter"
    UNKNOWN_MODEL = "unknown_model"

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self in _PASSING


_PASSING = frozenset(
    {ErrorKind.RATE_LIMITED, ErrorKind.TIMEOUT, ErrorKind.SERVER, ErrorKind.CONNECTION}
)


class Stop(StrEnum):
    """Why the model stopped writing."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    REFUSAL = "refusal"
    FILTERED = "filtered"


@dataclass(frozen=True)
class Prompt:
    """A question to a model.

    `prefix` is byte-identical for all candidates of a task, so that vendors cache it; what changes
    from call to call stands in `suffix`. `inputs` holds the same facts as a dataclass (see
    `judge.providers.inputs`); only the offline provider reads it.
    `prompt_version` is the SHA-256 of the template file.
    """

    purpose: str
    prefix: str
    suffix: str
    schema: Mapping[str, Any] | None
    schema_name: str
    inputs: object = field(repr=False)
    prompt_version: str

    @cached_property
    def sha256(self) -> str:
        """The hex digest of purpose, prefix, suffix and schema: the bytes that reach a model."""
        # A JSON list separates the parts: ("ab", "c") and ("a", "bc") must not collide.
        before, after = (
            json.dumps([self.purpose]),
            json.dumps([self.suffix, self.schema], sort_keys=True),
        )
        payload = f"{before[:-1]}, {self.prefix_json}, {after[1:]}"
        return hashlib.sha256(payload.encode()).hexdigest()

    @property
    def prefix_json(self) -> str:
        """The prefix as a JSON string in ASCII, written once for all prompts that share it."""
        return _json_of(self.prefix)


_json_of = lru_cache(maxsize=32)(json.dumps)  # siblings are asked one after the other


@dataclass(frozen=True)
class Usage:
    """Tokens of one call, `None` where the vendor did not say.

    `input_tokens` is the whole prompt, cached part included, for every vendor; `cached_tokens` is
    the part read from a cache, `cache_write_tokens` the part written to one (some vendors bill
    that higher).
    """

    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    cache_write_tokens: int | None = None


@dataclass(frozen=True)
class Reply:
    """One answer. `request` and `raw` are stored, without secrets."""

    text: str
    stop: Stop
    usage: Usage
    request: dict[str, Any]
    raw: str
    seconds: float
    request_id: str | None


class ProviderError(Exception):
    """A call that brought no reply.

    `detail` is one line for people, without secrets; `retry_after` is the seconds the provider
    asked us to wait; `request` and `raw` are what was sent and what came back.
    """

    def __init__(
        self,
        kind: ErrorKind,
        detail: str,
        *,
        retry_after: float | None = None,
        request: dict[str, Any] | None = None,
        raw: str = "",
        seconds: float | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after
        self.request = request or {}
        self.raw = raw
        self.seconds = seconds


def not_finite(parameters: Mapping[str, Any]) -> list[str]:
    """The names of parameters that hold a NaN or an infinity, however deep.

    JSON has no word for them: they would be sent as null, which no one chose.
    """
    return [name for name, value in parameters.items() if _holds_non_finite(value)]


def _holds_non_finite(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_non_finite, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_non_finite, value))
    return isinstance(value, float) and not math.isfinite(value)


class Provider(Protocol):
    """Answers prompts."""

    name: str
    label: str
    offline: bool

    @property
    def account(self) -> str:
        """An opaque name of the key in use: calls of one account share one limiter."""
        ...

    def configured(self) -> bool:
        """Whether a call could be made at all (a key is set)."""
        ...

    @property
    def batches(self) -> "Batches | None":
        """Its batch interface; None where there is none."""
        ...

    def preload(self) -> None:
        """Load what the first call would otherwise wait for."""
        ...

    def family(self, model: str) -> str:
        """Return the family of a model, so that no judge grades its own family."""
        ...

    def said(self, raw: str) -> str | None:
        """Return the text of a stored reply; None if it holds none, as the body of an error."""
        ...

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Make one call; `timeout` in seconds bounds all of it. Raises `ProviderError`."""
        ...


TIMEOUT = 300.0
"""Seconds for one step of a batch; files of some megabytes go over the wire."""
