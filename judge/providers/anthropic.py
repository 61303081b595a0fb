"""Anthropic's messages."""

import os
from collections.abc import Mapping
from typing import Any

from judge.providers import wire
from judge.providers.base import (
    MAX_OUTPUT_TOKENS,
    ErrorKind,
    Prompt,
    ProviderError,
    Reply,
    Stop,
    Usage,
)
from judge.providers.batching import Batches
from judge.providers.call_timing import passage
from judge.providers.families import family_of

# Parameters that are fields of the body under our own names.
_BODY_PARAMETERS = frozenset({"temperature", "top_p", "top_k"})
_STOPS = {
    "end_turn": Stop.COMPLETE,
    "stop_sequence": Stop.COMPLETE,
    "max_tokens": Stop.TRUNCATED,
    "model_context_window_exceeded": Stop.TRUNCATED,
    "pause_turn": Stop.TRUNCATED,
    "refusal": Stop.REFUSAL,
}


class Anthropic:
    """Messages with a cached prefix block and structured output.

    Key and address come from `ANTHROPIC_API_KEY` and `ANTHROPIC_BASE_URL`, read at every call.
    """

    name = "anthropic"
    label = "Anthropic"
    offline = False

    @property
    def account(self) -> str:
        """An opaque name of the key in use."""
        return wire.account_of(self.name, _key(), _base_url())

    def configured(self) -> bool:
        """Whether a key is set."""
        return bool(_key())

    @property
    def batches(self) -> Batches:
        """Its batch interface."""
        from judge.providers.anthropic_batches import AnthropicBatches

        return AnthropicBatches(_client, _key, request_body, _reply)

    def preload(self) -> None:
        """Import the SDK and make the client, which the first call would wait for."""
        if key := _key():
            wire.client_for(self.name, key, _base_url(), _make_client(key))

    def family(self, model: str) -> str:
        """The house of the model."""
        return family_of(model, self.name)

    def said(self, raw: str) -> str | None:
        """The text of a stored reply."""
        try:
            return _read(raw, request={}, key="", seconds=0.0)[0]
        except ProviderError:
            return None

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """One call of messages. Raises `ProviderError`."""
        key = _key()
        arguments = request_body(prompt, model, parameters)
        content, request = wire.encoded(arguments, key)
        if not key:
            raise ProviderError(ErrorKind.AUTH, "ANTHROPIC_API_KEY is not set.", request=request)

        import anthropic
        import httpx2

        with passage() as way:
            try:
                client = wire.client_for(self.name, key, _base_url(), _make_client(key))
                # As at OpenAI: the SDK's door for a body that is complete, which it would rebuild
                # field by field.
                response = client.post(
                    wire.address(client, "/v1/messages"),
                    content=content,
                    cast_to=httpx2.Response,
                    options={
                        "timeout": timeout,
                        "idempotency_key": prompt.sha256,
                        "headers": wire.unsaid(anthropic),
                    },
                )
                body = response.content.decode(errors="replace")
            except Exception as problem:
                raise way.refusal or wire.error_from(
                    problem, anthropic, request=request, key=key, seconds=way.seconds
                ) from None
        seconds = way.seconds
        text, stop, usage = _read(body, request=request, key=key, seconds=seconds)
        return Reply(
            text=text,
            stop=stop,
            usage=usage,
            request=request,
            raw=wire.redact(body, key),
            seconds=seconds,
            request_id=response.headers.get("request-id"),
        )


def _key() -> str:
    return os.environ.get("ANTHROPIC_API_KEY", "").strip()


def _base_url() -> str | None:
    return os.environ.get("ANTHROPIC_BASE_URL", "").strip() or None


def _client() -> Any:
    """The SDK's client. Raises ProviderError without a key."""
    key = _key()
    if not key:
        raise ProviderError(ErrorKind.AUTH, "ANTHROPIC_API_KEY is not set.")
    return wire.client_for("anthropic", key, _base_url(), _make_client(key))


def _reply(body: str, key: str) -> Reply:
    """A reply out of a batch, from its body. Raises ProviderError for anything unusable."""
    text, stop, usage = _read(body, request={}, key=key, seconds=0.0)
    return Reply(
        text=text,
        stop=stop,
        usage=usage,
        request={},
        raw=wire.redact(body, key),
        seconds=0.0,
        request_id=None,
    )


def _make_client(key: str) -> Any:
    def make(hooks: dict[str, Any]) -> Any:
        import anthropic

        from judge.providers import connections as lanes

        http = anthropic.DefaultHttpxClient(
            event_hooks=hooks, follow_redirects=False, **lanes.transport()
        )
        return anthropic.Anthropic(
            api_key=key, base_url=_base_url(), max_retries=0, http_client=http
        )

    return make


def request_body(prompt: Prompt, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    wire.refuse_non_finite(parameters)
    arguments: dict[str, Any] = {
        "model": model,
        "max_tokens": MAX_OUTPUT_TOKENS,
        "system": [{"type": "text", "text": prompt.prefix, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": prompt.suffix}]}],
    }
    output: dict[str, Any] = {}
    if prompt.schema is not None:
        output["format"] = {"type": "json_schema", "schema": dict(prompt.schema)}
    for name, value in parameters.items():
        if name == "max_tokens":
            arguments["max_tokens"] = value
        elif name == "effort":
            output["effort"] = value
        elif name in _BODY_PARAMETERS:
            arguments[name] = value
        else:
            # A seed, for one: dropping it in silence would let a run claim what it does not have.
            raise ProviderError(
                ErrorKind.BAD_REQUEST, f"Anthropic is not asked with a parameter “{name}”."
            )
    if output:
        arguments["output_config"] = output
    return arguments


def _read(
    body: str, *, request: dict[str, Any], key: str, seconds: float
) -> tuple[str, Stop, Usage]:
    reply = wire.read_object(body, request=request, key=key, seconds=seconds)
    stop = _STOPS.get(reply.get("stop_reason") or "")
    blocks = reply.get("content")
    if stop is None or not isinstance(blocks, list):
        raise wire.wrong_body(
            "The reply has no content with a known reason for its end.",
            request=request,
            body=body,
            key=key,
            seconds=seconds,
        )
    texts = [
        block["text"]
        for block in blocks
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    ]
    return "".join(texts), stop, _usage(reply.get("usage"))


def _usage(usage: Any) -> Usage:
    """Anthropic counts the cached parts beside the input; we count them within it."""
    if not isinstance(usage, Mapping):
        return Usage(None, None, None)
    fresh = wire.count(usage.get("input_tokens"))
    read = wire.count(usage.get("cache_read_input_tokens"))
    written = wire.count(usage.get("cache_creation_input_tokens"))
    return Usage(
        input_tokens=None if fresh is None else fresh + (read or 0) + (written or 0),
        cached_tokens=read,
        output_tokens=wire.count(usage.get("output_tokens")),
        cache_write_tokens=written,
    )
