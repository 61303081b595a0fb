"""A provider that is reached through its own SDK: what OpenAI and Anthropic have in common."""

import json
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from judge.asking.providers import wire
from judge.asking.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop, Usage
from judge.asking.providers.batches.interface import Batches

if TYPE_CHECKING:
    from judge.asking.providers.transport import BoundedTransport


# The first match counts: where one maker hosts another's model, the maker of the weights decides.
_FAMILIES = (
    ("anthropic", r"claude"),
    ("openai", r"gpt|chatgpt|codex|davinci|(?<![a-z0-9])o[134](?![0-9a-z])"),
    ("google", r"gemini|gemma|palm"),
    ("deepseek", r"deepseek"),
    ("alibaba", r"qwen|qwq|tongyi"),
    ("meta", r"llama"),
    ("mistral", r"mistral|mixtral|magistral|codestral"),
    ("xai", r"grok"),
    ("moonshot", r"kimi|moonshot"),
    ("zhipu", r"glm"),
    ("bytedance", r"doubao|seed-?\d"),
    ("baidu", r"ernie"),
    ("tencent", r"hunyuan"),
    ("minimax", r"minimax|abab"),
    ("cohere", r"command-|cohere"),
    ("amazon", r"nova-|titan-"),
    ("microsoft", r"(?<![a-z])phi-?\d"),
)
_PATTERNS = tuple((family, re.compile(pattern)) for family, pattern in _FAMILIES)


def family_of(model: str, default: str) -> str:
    """Return the family of a model, or `default` if its name does not tell."""
    name = model.lower()
    for family, pattern in _PATTERNS:
        if pattern.search(name):
            return family
    return default


ASKS_FOR_JSON = (
    "Reply with one JSON object and nothing else: no words before or after it. It has to fit this "
    "JSON Schema:"
)
"""The sentence with which a model without structured output is asked for it."""


def stated(prompt: Prompt, parameters: Mapping[str, Any]) -> tuple[Prompt, dict[str, Any]]:
    """Return the prompt with what has to be said in words, and the parameters that are left.

    `system` stands before everything else. With `structured_output` False the schema is written
    at the end of the prefix, which stays the same for all candidates of a task.
    """
    left = dict(parameters)
    system = left.pop("system", "")
    structured = left.pop("structured_output", True)
    if system:
        prompt = replace(prompt, prefix=f"{system}\n\n{prompt.prefix}")
    if not structured and prompt.schema is not None:
        schema = json.dumps(prompt.schema, ensure_ascii=False)
        words = f"{prompt.prefix}\n\n{ASKS_FOR_JSON}\n{schema}"
        prompt = replace(prompt, prefix=words, schema=None)
    return prompt, left


Read = tuple[str, Stop, Usage]


class RawResponse(Protocol):
    """What the SDKs' documented `with_raw_response` returns."""

    http_response: Any


@dataclass(frozen=True)
class Received:
    """A reply as text; `seconds` from the call of the SDK to the last byte."""

    body: str
    seconds: float
    request_id: str | None


@dataclass(frozen=True)
class Configured:
    """An endpoint that staff have entered.

    Attributes:
        protocol: the name of the built-in vendor whose requests it takes.
        key_variable: the environment variable of its key; "" for a server that asks for none.
        most_at_once: calls of all work together; None for no limit of its own.
        private_networks: networks that may be called although they are private.
        retired: known, so that what it answered can be read, but asked no more.
    """

    name: str
    label: str
    protocol: str
    address: str
    key_variable: str
    most_at_once: int | None = None
    private_networks: tuple[str, ...] = ()
    retired: bool = False


NO_KEY = "none"
"""Sent to a server that asks for no key, because the SDKs insist on one."""


class Vendor(ABC):
    """Ask by one vendor's SDK; subclasses say how its requests and replies look.

    Key and address come from the environment variables `key_setting` and `address_setting`, read
    at every call, or from the endpoint that staff have entered.

    Args:
        endpoint: None for the vendor itself.
    """

    name: str
    label: str
    offline = False
    key_setting: str
    address_setting: str
    default_address: str
    request_id_header: str

    def __init__(self, endpoint: Configured | None = None) -> None:
        self.endpoint = endpoint
        if endpoint is not None:
            self.name, self.label = endpoint.name, endpoint.label
            self.key_setting = endpoint.key_variable

    # -- what differs -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def sdk(self) -> Any:
        """The SDK's module, imported when it is first needed."""

    @abstractmethod
    def new_client(self, key: str, transport: "BoundedTransport") -> Any:
        """Make the SDK's client."""

    @abstractmethod
    def ask(self, client: Any, arguments: Mapping[str, Any], timeout: float) -> RawResponse:
        """Send one request by the SDK's typed method."""

    @abstractmethod
    def arguments(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the body of a request. Raises ProviderError for an unknown parameter."""

    @abstractmethod
    def read(self, body: str, *, request: dict[str, Any], seconds: float) -> Read:
        """Return text, stop and usage of a reply's body. Raises ProviderError."""

    @property
    @abstractmethod
    def batches(self) -> Batches:
        """The vendor's batch interface."""

    # -- what is the same -------------------------------------------------------------------------

    @property
    def key(self) -> str:
        """The key in use; "" for none."""
        if self.endpoint is not None and not self.key_setting:
            return NO_KEY
        return os.environ.get(self.key_setting, "").strip()

    @property
    def own_address(self) -> str:
        """The address that replaces the vendor's; "" for none."""
        if self.endpoint is not None:
            return self.endpoint.address
        return os.environ.get(self.address_setting, "").strip()

    @property
    def protocol(self) -> str:
        """The name of the built-in vendor whose requests it takes."""
        return self.endpoint.protocol if self.endpoint is not None else self.name

    @property
    def address(self) -> str:
        """The address that is called."""
        return self.own_address or self.default_address

    @property
    def account(self) -> str:
        """An opaque name of the key in use."""
        return wire.account_of(self.name, self.key, self.own_address)

    def configured(self) -> bool:
        """Return whether it can be asked: a key is set, and it is not retired."""
        return bool(self.key) and not (self.endpoint is not None and self.endpoint.retired)

    @property
    def most_at_once(self) -> int | None:
        """Calls at once that the endpoint bears; None for no limit of its own."""
        return self.endpoint.most_at_once if self.endpoint is not None else None

    def preload(self) -> None:
        """Import the SDK and make the client, which the first call would wait for."""
        if self.key:
            self._client()

    def family(self, model: str) -> str:
        """Return the family of a model: compatible servers host other vendors' models too."""
        return family_of(model, self.name)

    def reply_text(self, raw: str) -> str | None:
        """Return the text of a stored reply; None if it has none."""
        try:
            return self.read(raw, request={}, seconds=0.0)[0]
        except ProviderError:
            return None

    def request_body(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the body of a request, live or in a batch, with marks for its pictures.

        Raises ProviderError (BAD_REQUEST) for a parameter the vendor does not know, or a number
        that JSON has no word for.
        """
        wire.refuse_non_finite(parameters)
        prompt, parameters = stated(prompt, parameters)
        return self.arguments(prompt, model=model, parameters=parameters)

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Make one call; `timeout` in seconds bounds all of it. Raises ProviderError."""
        arguments = self.request_body(prompt, model=model, parameters=parameters)
        request = wire.redact(arguments, self.key)
        if prompt.pictures:
            pictures = {picture.sha256: picture for picture in prompt.pictures}
            arguments = wire.with_pictures(arguments, lambda sha256: pictures[sha256].read())
        received = self.send(lambda client: self.ask(client, arguments, timeout), request=request)
        return self.reply(received, request=request)

    def reply(self, received: Received, *, request: dict[str, Any]) -> Reply:
        """Return the reply that a body holds. Raises ProviderError for anything unusable."""
        text, stop, usage = self.read(received.body, request=request, seconds=received.seconds)
        return Reply(
            text=text,
            stop=stop,
            usage=usage,
            request=request,
            raw=wire.redact(received.body, self.key),
            seconds=received.seconds,
            request_id=received.request_id,
        )

    def batched_reply(self, body: str) -> Reply:
        """Return a reply out of a batch. Raises ProviderError for anything unusable."""
        return self.reply(Received(body, 0.0, None), request={})

    def send(
        self, call: Callable[[Any], RawResponse], *, request: dict[str, Any] | None = None
    ) -> Received:
        """Hand the SDK's client to `call` and read the whole reply.

        Raises ProviderError, with `request` as what was sent.
        """
        request = request or {}
        if self.endpoint is not None and self.endpoint.retired:
            raise ProviderError(ErrorKind.AUTH, f"{self.label} is retired.", request=request)
        if not self.key:
            raise ProviderError(ErrorKind.AUTH, f"{self.key_setting} is not set.", request=request)
        started = time.monotonic()
        try:
            response = call(self._client()).http_response
            # JSON is UTF-8 by definition, whatever the header says.
            body = response.read().decode(errors="replace")
        except Exception as problem:
            raise wire.error_from(
                problem,
                self.sdk,
                request=request,
                key=self.key,
                seconds=time.monotonic() - started,
            ) from None
        return Received(
            body, time.monotonic() - started, response.headers.get(self.request_id_header)
        )

    def _client(self) -> Any:
        key = self.key
        return wire.client_for(
            self.name,
            key,
            self.address,
            lambda transport: self.new_client(key, transport),
            # The operator chose the address of a vendor of the environment.
            private=self.endpoint.private_networks if self.endpoint is not None else None,
        )
