"""The provider for OpenAI and for servers that are compatible with its chat completions."""

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from judge.providers import wire
from judge.providers.base import (
    MAX_OUTPUT_TOKENS,
    ErrorKind,
    Prompt,
    ProviderError,
    Stop,
    Usage,
)
from judge.providers.batches.interface import Batches
from judge.providers.vendor import RawResponse, Read, Vendor

if TYPE_CHECKING:
    from judge.providers.transport import BoundedTransport

# Our name of a parameter -> the vendor's.
_PARAMETERS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "max_tokens": "max_completion_tokens",
    "effort": "reasoning_effort",
}
_STOPS = {"stop": Stop.COMPLETE, "length": Stop.TRUNCATED, "content_filter": Stop.FILTERED}


class OpenAI(Vendor):
    """Chat completions with strict structured output."""

    name = "openai"
    label = "OpenAI"
    key_setting = "OPENAI_API_KEY"
    address_setting = "OPENAI_BASE_URL"
    default_address = "https://api.openai.com/v1"
    request_id_header = "x-request-id"

    @property
    def sdk(self) -> Any:
        """The SDK's module."""
        import openai

        return openai

    def new_client(self, key: str, transport: "BoundedTransport") -> Any:
        """Make the SDK's client, without its retries: `retry.py` repeats calls."""
        http = self.sdk.DefaultHttpxClient(transport=transport, follow_redirects=False)
        return self.sdk.OpenAI(
            api_key=key, base_url=self.own_address or None, max_retries=0, http_client=http
        )

    def ask(self, client: Any, arguments: Mapping[str, Any], timeout: float) -> RawResponse:
        """Send one request of chat completions."""
        response: RawResponse = client.chat.completions.with_raw_response.create(
            **arguments, timeout=timeout
        )
        return response

    @property
    def batches(self) -> Batches:
        """Batches of chat completions."""
        from judge.providers.batches.openai import OpenAIBatches

        return OpenAIBatches(self)

    def arguments(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the body of a request. Raises ProviderError (BAD_REQUEST)."""
        arguments: dict[str, Any] = {
            "model": model,
            "messages": [
                {"role": "system", "content": prompt.prefix},
                {"role": "user", "content": _content(prompt)},
            ],
            "max_completion_tokens": MAX_OUTPUT_TOKENS,
        }
        if prompt.schema is not None:
            arguments["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": prompt.schema_name,
                    "schema": dict(prompt.schema),
                    "strict": True,
                },
            }
        if not self.own_address:
            # Routes a task's calls to the machine that has cached its prefix. Only for OpenAI
            # itself, because compatible servers may refuse an unknown argument.
            arguments["prompt_cache_key"] = sha256(prompt.prefix.encode()).hexdigest()[:32]
        for name, value in parameters.items():
            if name == "search":
                arguments["web_search_options"] = {}
            elif name in _PARAMETERS:
                arguments[_PARAMETERS[name]] = value
            else:
                raise ProviderError(
                    ErrorKind.BAD_REQUEST, f"{self.label} is not asked with a parameter “{name}”."
                )
        return arguments

    def read(self, body: str, *, request: dict[str, Any], seconds: float) -> Read:
        """Return text, stop and usage of a reply. Raises ProviderError (SERVER)."""
        reply = wire.read_object(body, request=request, key=self.key, seconds=seconds)
        try:
            choice = reply["choices"][0]
            message = choice["message"]
            finish, refusal, content = (
                choice["finish_reason"],
                message.get("refusal"),
                message.get("content"),
            )
        except (KeyError, IndexError, TypeError, AttributeError):
            finish = refusal = content = None
        if refusal and isinstance(refusal, str):
            stop, text = Stop.REFUSAL, refusal
        elif finish in _STOPS and (isinstance(content, str) or finish != "stop"):
            stop, text = _STOPS[finish], content or ""
        else:
            raise wire.wrong_body(
                "The reply has no message with a known reason for its end.",
                request=request,
                body=body,
                key=self.key,
                seconds=seconds,
            )
        return text, stop, _usage(reply.get("usage"))


def _content(prompt: Prompt) -> str | list[dict[str, Any]]:
    """Return the user's message: a text, or the pictures and then the text."""
    if not prompt.pictures:
        return prompt.suffix
    parts: list[dict[str, Any]] = []
    for picture in prompt.pictures:
        url = f"data:{picture.content_type};base64,{wire.picture_mark(picture)}"
        parts.append({"type": "text", "text": picture.label})
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return [*parts, {"type": "text", "text": prompt.suffix}]


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, Mapping):
        return Usage(None, None, None)
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    return Usage(
        input_tokens=wire.count(usage.get("prompt_tokens")),
        cached_tokens=wire.count(details.get("cached_tokens")),
        output_tokens=wire.count(usage.get("completion_tokens")),
        cache_write_tokens=wire.count(details.get("cache_write_tokens")),
    )
