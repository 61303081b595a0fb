"""The provider for OpenAI and for servers that are compatible with its chat completions."""

from collections.abc import Mapping
from hashlib import sha256
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

# Our name of a parameter -> the vendor's.
_PARAMETERS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "max_tokens": "max_completion_tokens",
    "effort": "reasoning_effort",
}
# Why a reply ended, in the words of OpenAI, Mistral, text-generation-inference and others.
_STOPS = {
    **dict.fromkeys(("stop", "stop_sequence", "eos", "eos_token", "end_turn"), Stop.COMPLETE),
    **dict.fromkeys(("length", "model_length", "max_tokens"), Stop.TRUNCATED),
    **dict.fromkeys(("content_filter", "safety"), Stop.FILTERED),
}
_BROKEN_OFF = ("error", "abort", "insufficient_system_resource")  # Mistral, vLLM, DeepSeek


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
        from judge.asking.providers.batches.openai import OpenAIBatches

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
        """Return text, stop and usage of a reply. Raises ProviderError."""
        reply = wire.read_object(body, request=request, key=self.key, seconds=seconds)
        usage = _usage(reply.get("usage"))
        try:
            choice = reply["choices"][0]
            finish = str(choice.get("finish_reason") or "").lower()
            refusal, text = choice["message"].get("refusal"), _said(choice["message"])
        except (KeyError, IndexError, TypeError, AttributeError):
            problem = "The reply has no message."
        else:
            if refusal and isinstance(refusal, str):
                return refusal, Stop.REFUSAL, usage
            if finish not in _BROKEN_OFF:
                return text, _STOPS.get(finish, Stop.OTHER), usage
            problem = "The provider broke the reply off."
        raise wire.wrong_body(
            problem,
            request=request,
            body=body,
            key=self.key,
            seconds=seconds,
            reply=reply,
            usage=usage,
        )


def _said(message: Mapping[str, Any]) -> str:
    """Return the text of a reply's message; "" where it has none, as with a call of a tool.

    Some servers send it in parts, with the model's thoughts as parts of another type.
    """
    content = message.get("content")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Mapping)]
        texts = [part.get("text") for part in parts if part.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


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
