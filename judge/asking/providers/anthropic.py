"""The provider for Anthropic's messages."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judge.asking.providers import wire
from judge.asking.providers.base import (
    MAX_OUTPUT_TOKENS,
    ErrorKind,
    Prompt,
    ProviderError,
    Stop,
    Usage,
)
from judge.asking.providers.batches.interface import Batches
from judge.asking.providers.vendor import RawResponse, Read, Vendor

if TYPE_CHECKING:
    from judge.asking.providers.transport import BoundedTransport

# Fields of the body without arguments in the SDK, because newer models refuse them.
_BODY_PARAMETERS = frozenset({"temperature", "top_p", "top_k"})
# The vendor's own tool: it searches, and the reply tells what it found (its documentation).
_SEARCH = {"type": "web_search_20250305", "name": "web_search"}
_KEPT = {"type": "ephemeral"}  # all up to the block that carries it is cached
_STOPS = {
    "end_turn": Stop.COMPLETE,
    "stop_sequence": Stop.COMPLETE,
    "max_tokens": Stop.TRUNCATED,
    "model_context_window_exceeded": Stop.TRUNCATED,
    "pause_turn": Stop.TRUNCATED,
    "refusal": Stop.REFUSAL,
}


class Anthropic(Vendor):
    """Messages with a cached prefix block and structured output."""

    name = "anthropic"
    label = "Anthropic"
    key_setting = "ANTHROPIC_API_KEY"
    address_setting = "ANTHROPIC_BASE_URL"
    default_address = "https://api.anthropic.com"
    request_id_header = "request-id"

    @property
    def sdk(self) -> Any:
        """The SDK's module."""
        import anthropic

        return anthropic

    def new_client(self, key: str, transport: "BoundedTransport") -> Any:
        """Make the SDK's client, without its retries: `retry.py` repeats calls."""
        http = self.sdk.DefaultHttpxClient(transport=transport, follow_redirects=False)
        return self.sdk.Anthropic(
            api_key=key, base_url=self.own_address or None, max_retries=0, http_client=http
        )

    def ask(self, client: Any, arguments: Mapping[str, Any], timeout: float) -> RawResponse:
        """Send one request of messages."""
        typed = {name: arguments[name] for name in arguments if name not in _BODY_PARAMETERS}
        more = {name: arguments[name] for name in arguments if name in _BODY_PARAMETERS}
        response: RawResponse = client.messages.with_raw_response.create(
            **typed, extra_body=more, timeout=timeout
        )
        return response

    @property
    def batches(self) -> Batches:
        """Message batches."""
        from judge.asking.providers.batches.anthropic import AnthropicBatches

        return AnthropicBatches(self)

    def arguments(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the body of a request. Raises ProviderError (BAD_REQUEST)."""
        arguments: dict[str, Any] = {
            "model": model,
            "max_tokens": MAX_OUTPUT_TOKENS,
            "system": [{**_text(prompt.prefix), "cache_control": _KEPT}],
            "messages": [
                {"role": "user", "content": [*_pictures(prompt), _text(prompt.suffix)]},
            ],
        }
        output: dict[str, Any] = {}
        if prompt.schema is not None:
            output["format"] = {"type": "json_schema", "schema": dict(prompt.schema)}
        for name, value in parameters.items():
            if name == "max_tokens":
                arguments["max_tokens"] = value
            elif name == "effort":
                output["effort"] = value
            elif name == "search":
                arguments["tools"] = [_SEARCH]
            elif name in _BODY_PARAMETERS:
                arguments[name] = value
            else:
                # Dropping a parameter, such as a seed, would make the record of the run wrong.
                raise ProviderError(
                    ErrorKind.BAD_REQUEST, f"{self.label} is not asked with a parameter “{name}”."
                )
        if output:
            arguments["output_config"] = output
        return arguments

    def read(self, body: str, *, request: dict[str, Any], seconds: float) -> Read:
        """Return text, stop and usage of a reply. Raises ProviderError."""
        reply = wire.read_object(body, request=request, key=self.key, seconds=seconds)
        usage = _usage(reply.get("usage"))
        stop = _STOPS.get(str(reply.get("stop_reason") or ""), Stop.OTHER)
        blocks = reply.get("content")
        if not isinstance(blocks, list):
            raise wire.wrong_body(
                "The reply has no content.",
                request=request,
                body=body,
                key=self.key,
                seconds=seconds,
                reply=reply,
                usage=usage,
            )
        texts = [
            block["text"]
            for block in blocks
            if isinstance(block, dict)
            and block.get("type") == "text"
            and isinstance(block.get("text"), str)
        ]
        return "".join(texts), stop, usage


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _pictures(prompt: Prompt) -> list[dict[str, Any]]:
    """Return the blocks of the pictures; the last one is cached with all before it."""
    blocks = []
    for picture in prompt.pictures:
        source = {
            "type": "base64",
            "media_type": picture.content_type,
            "data": wire.picture_mark(picture),
        }
        blocks += [_text(picture.label), {"type": "image", "source": source}]
    if blocks:
        blocks[-1]["cache_control"] = _KEPT
    return blocks


def _usage(usage: Any) -> Usage:
    """Return the usage with the cached parts in the input; Anthropic counts them separately."""
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
