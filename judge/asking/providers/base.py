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

from judge.asking.providers.inputs import Picture

if TYPE_CHECKING:
    from judge.asking.providers.batches.interface import Batches

MAX_OUTPUT_TOKENS = 16_000
"""Tokens a reply may have if the parameters do not say; cost estimates use it too."""


class ErrorKind(StrEnum):
    """Why a call failed."""

    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    SERVER = "server"
    CONNECTION = "connection"
    AUTH = "auth"
    BAD_REQUEST = "bad_request"
    CONTEXT_TOO_LONG = "context_too_long"
    PICTURE_GONE = "picture_gone"  # of the task; nothing was sent
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
    OTHER = "other_end"  # a word we do not know: only the text's form tells whether it is whole


@dataclass(frozen=True)
class Prompt:
    """A question to a model.

    Attributes:
        prefix: the same bytes for all candidates of a task, so that vendors cache it.
        suffix: the part that changes from call to call.
        inputs: the same facts as a dataclass of `judge.asking.providers.inputs`, which only the
        offline
            provider reads.
        prompt_version: the SHA-256 of the template file.
        pictures: sent before the suffix, the same for all candidates of a task.
    """

    purpose: str
    prefix: str
    suffix: str
    schema: Mapping[str, Any] | None
    schema_name: str
    inputs: object = field(repr=False)
    prompt_version: str
    pictures: tuple[Picture, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """Return the hex digest of purpose, prefix, suffix, schema and the pictures, if any."""
        # A JSON list separates the parts: ("ab", "c") and ("a", "bc") must not collide.
        before, after = (
            json.dumps([self.purpose]),
            json.dumps([self.suffix, self.schema, *self.picture_marks], sort_keys=True),
        )
        payload = f"{before[:-1]}, {self.prefix_json}, {after[1:]}"
        return hashlib.sha256(payload.encode()).hexdigest()

    @property
    def picture_marks(self) -> list[list[str]]:
        """Return what tells prompts with other pictures apart; empty without any."""
        return [["pictures", *(p.sha256 for p in self.pictures)]] if self.pictures else []

    @property
    def prefix_json(self) -> str:
        """Return the prefix as a JSON string in ASCII, cached for all prompts that share it."""
        return _json_of(self.prefix)


_json_of = lru_cache(maxsize=32)(json.dumps)  # prompts with one prefix come one after the other


@dataclass(frozen=True)
class Usage:
    """Tokens of one call; None where the vendor did not report them.

    Attributes:
        input_tokens: the whole prompt, including the cached part, for every vendor.
        cached_tokens: the part read from a cache.
        cache_write_tokens: the part written to a cache, which some vendors bill higher.
    """

    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    cache_write_tokens: int | None = None


@dataclass(frozen=True)
class Reply:
    """An answer; `request` and `raw` are stored without secrets."""

    text: str
    stop: Stop
    usage: Usage
    request: dict[str, Any]
    raw: str
    seconds: float
    request_id: str | None


class ProviderError(Exception):
    """A call failed.

    Attributes:
        detail: one line for people, without secrets.
        retry_after: the seconds the provider asks to wait; None if it does not.
        request, raw: what was sent and what came back.
        usage: the tokens of a reply that cannot be used, as far as the vendor told them; None where
            no model answered.
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
        usage: Usage | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after
        self.request = request or {}
        self.raw = raw
        self.seconds = seconds
        self.usage = usage


def not_finite(parameters: Mapping[str, Any]) -> list[str]:
    """Return the names of parameters that contain a NaN or an infinity at any depth.

    JSON cannot express them: they would be sent as null.
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
    offline: bool

    @property
    def label(self) -> str:
        """The name that pages show."""
        ...

    @property
    def account(self) -> str:
        """Return an opaque name of the key in use; calls of one account share one limiter."""
        ...

    @property
    def most_at_once(self) -> int | None:
        """Return how many calls at once it bears, of all work together; None for no limit."""
        ...

    def configured(self) -> bool:
        """Return whether calls are possible (a key is set)."""
        ...

    @property
    def batches(self) -> "Batches | None":
        """Return the batch interface; None without one."""
        ...

    def preload(self) -> None:
        """Load what the first call needs, so that it need not wait."""
        ...

    def family(self, model: str) -> str:
        """Return the family of a model, so that no judge grades its own family."""
        ...

    def reply_text(self, raw: str) -> str | None:
        """Return the text of a stored reply; None if it has none, like the body of an error."""
        ...

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Make one call; `timeout` in seconds bounds all of it. Raises `ProviderError`."""
        ...


TIMEOUT = 300.0
"""Seconds for one step of a batch; files of some megabytes go over the wire."""
