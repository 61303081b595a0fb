"""The providers that answer prompts; the vendors' SDKs are imported in this package only."""

from functools import lru_cache
from typing import Protocol

from judge.asking.providers.anthropic import Anthropic
from judge.asking.providers.base import (
    MAX_OUTPUT_TOKENS,
    ErrorKind,
    Prompt,
    Provider,
    ProviderError,
    Reply,
    Stop,
    Usage,
    not_finite,
)
from judge.asking.providers.offline import Offline
from judge.asking.providers.openai import OpenAI
from judge.asking.providers.vendor import Configured, Vendor, family_of

__all__ = [
    "BUILT_IN",
    "Configured",
    "MAX_OUTPUT_TOKENS",
    "ErrorKind",
    "Prompt",
    "Provider",
    "ProviderError",
    "Reply",
    "Source",
    "Stop",
    "UnknownProviderError",
    "Usage",
    "configured",
    "default",
    "family_of",
    "get",
    "is_offline",
    "key_variable",
    "label_of",
    "labels",
    "made_of",
    "names",
    "not_finite",
    "register_source",
    "reply_text",
]

_PROVIDERS: dict[str, Provider] = {p.name: p for p in (OpenAI(), Anthropic(), Offline())}
_PROTOCOLS: dict[str, type[Vendor]] = {"openai": OpenAI, "anthropic": Anthropic}

BUILT_IN = tuple(_PROVIDERS)
"""The providers of every installation, in order of preference."""


class UnknownProviderError(LookupError):
    """There is no provider of this name."""


class Source(Protocol):
    """Where endpoints come from that staff have entered. It is asked each time, never cached."""

    def in_use(self) -> list[Configured]:
        """Return those that are not retired."""
        ...

    def one(self, name: str) -> Configured | None:
        """Return an endpoint, in use or retired; None if there is none of this name."""
        ...

    def labels(self) -> dict[str, str]:
        """Return name -> label of all, in use or retired."""
        ...


_sources: list[Source] = []


def register_source(source: Source) -> None:
    """Register where the configured endpoints come from; a second call replaces the first."""
    _sources[:] = [source]


def names() -> list[str]:
    """Return the names of all providers in use, in order of preference, the offline one last."""
    return [provider.name for provider in _in_use()]


def _in_use() -> list[Provider]:
    *vendors, rules = _PROVIDERS.values()
    endpoints = [made_of(endpoint) for source in _sources for endpoint in source.in_use()]
    return [*vendors, *endpoints, rules]


def get(name: str) -> Provider:
    """Return the provider of this name, with or without a key, in use or retired.

    Raises:
        UnknownProviderError: there is none.
    """
    found = _found(name)
    if found is None:
        known = ", ".join(names())
        raise UnknownProviderError(f"No provider is called “{name}”; there are: {known}.")
    return found


def _found(name: str) -> Provider | None:
    if name in _PROVIDERS:
        return _PROVIDERS[name]
    endpoints = [source.one(name) for source in _sources]
    return next((made_of(endpoint) for endpoint in endpoints if endpoint is not None), None)


@lru_cache(maxsize=64)
def made_of(endpoint: Configured) -> Provider:
    """Return the provider that asks an endpoint."""
    return _PROTOCOLS[endpoint.protocol](endpoint)


def label_of(name: str) -> str:
    """Return a provider's label for people; the name itself if there is no such provider.

    A list of many takes `labels` instead.
    """
    found = _found(name)
    return name if found is None else str(found.label)


def labels() -> dict[str, str]:
    """Return name -> label of all providers, retired ones too."""
    own = {name: str(provider.label) for name, provider in _PROVIDERS.items()}
    return {name: label for source in _sources for name, label in source.labels().items()} | own


def key_variable(name: str) -> str:
    """Return the environment variable that holds a provider's key; "" if it takes none."""
    found = _found(name)
    return found.key_setting if isinstance(found, Vendor) else ""


def is_offline(name: str) -> bool:
    """Return whether rules answer instead of a model; False for a provider that was removed."""
    return name in _PROVIDERS and _PROVIDERS[name].offline


def reply_text(name: str, raw: str) -> str | None:
    """Return the text of a stored reply; None if it has none or there is no such provider."""
    found = _found(name) if raw else None
    return None if found is None else found.reply_text(raw)


def configured() -> list[Provider]:
    """Return the providers that can answer now, in order of preference, the offline one last."""
    return [provider for provider in _in_use() if provider.configured()]


def default() -> Provider:
    """Return the first provider with a key, else the offline rules."""
    return configured()[0]
