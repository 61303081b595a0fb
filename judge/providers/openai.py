"""OpenAI, and every server that speaks its chat completions."""

import os
from collections.abc import Mapping
from hashlib import sha256
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

# Our name of a parameter -> the vendor's.
_PARAMETERS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "max_tokens": "max_completion_tokens",
    "effort": "reasoning_effort",
}
_STOPS = {"stop": Stop.COMPLETE, "length": Stop.TRUNCATED, "content_filter": Stop.FILTERED}


class OpenAI:
    """Chat completions with strict structured output.

    Key and address come from `OPENAI_API_KEY` and `OPENAI_BASE_URL`, read at every call.
    """

    name = "openai"
    label = "OpenAI"
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
        from judge.providers.openai_batches import OpenAIBatches

        return OpenAIBatches(_client, _key, request_body, _reply)

    def preload(self) -> None:
        """Import the SDK and make the client, which the first call would wait for."""
        if key := _key():
            wire.client_for(self.name, key, _base_url(), _make_client(key))

    def family(self, model: str) -> str:
        """The house of the model: compatible servers host other houses' models too."""
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
        """One call of chat completions. Raises `ProviderError`."""
        key = _key()
        arguments = request_body(prompt, model, parameters)
        content, request = wire.encoded(arguments, key)
        if not key:
            raise ProviderError(ErrorKind.AUTH, "OPENAI_API_KEY is not set.", request=request)

        import httpx2
        import openai

        with passage() as way:
            try:
                client = wire.client_for(self.name, key, _base_url(), _make_client(key))
                # The typed method rebuilds every message field by field, which costs as much as the
                # rest of the call; `post` is the SDK's door for a body that is already complete.
                # A key of ours spares it the making of one; neither vendor's calls send it.
                response = client.post(
                    wire.address(client, "/chat/completions"),
                    content=content,
                    cast_to=httpx2.Response,
                    options={
                        "timeout": timeout,
                        "idempotency_key": prompt.sha256,
                        "headers": wire.unsaid(openai),
                    },
                )
                body = response.content.decode(errors="replace")  # JSON is UTF-8 by definition
            except Exception as problem:
                raise way.refusal or wire.error_from(
                    problem, openai, request=request, key=key, seconds=way.seconds
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
            request_id=response.headers.get("x-request-id"),
        )


def _key() -> str:
    return os.environ.get("OPENAI_API_KEY", "").strip()


def _base_url() -> str | None:
    return os.environ.get("OPENAI_BASE_URL", "").strip() or None


def _client() -> Any:
    """The SDK's client. Raises ProviderError without a key."""
    key = _key()
    if not key:
        raise ProviderError(ErrorKind.AUTH, "OPENAI_API_KEY is not set.")
    return wire.client_for("openai", key, _base_url(), _make_client(key))


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
        import openai

        from judge.providers import connections as lanes

        http = openai.DefaultHttpxClient(
            event_hooks=hooks, follow_redirects=False, **lanes.transport()
        )
        return openai.OpenAI(api_key=key, base_url=_base_url(), max_retries=0, http_client=http)

    return make


def request_body(prompt: Prompt, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    wire.refuse_non_finite(parameters)
    arguments: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": prompt.prefix},
            {"role": "user", "content": prompt.suffix},
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
    if _base_url() is None:
        # Sends a task's calls to the machine that holds its prefix. Compatible servers may refuse
        # an argument they do not know, so only OpenAI itself gets it.
        arguments["prompt_cache_key"] = sha256(prompt.prefix.encode()).hexdigest()[:32]
    for name, value in parameters.items():
        if name not in _PARAMETERS:
            raise ProviderError(
                ErrorKind.BAD_REQUEST, f"OpenAI is not asked with a parameter “{name}”."
            )
        arguments[_PARAMETERS[name]] = value
    return arguments


def _read(
    body: str, *, request: dict[str, Any], key: str, seconds: float
) -> tuple[str, Stop, Usage]:
    reply = wire.read_object(body, request=request, key=key, seconds=seconds)
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
            key=key,
            seconds=seconds,
        )
    return text, stop, _usage(reply.get("usage"))


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
