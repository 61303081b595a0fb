"""The providers that answer prompts; the vendors' SDKs are imported in this package only."""

from judge.providers.anthropic import Anthropic
from judge.providers.base import (
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
from judge.providers.families import family_of
from judge.providers.offline import Offline
from judge.providers.openai import OpenAI

__all__ = [
    "BUILT_IN",
    "MAX_OUTPUT_TOKENS",
    "ErrorKind",
    "Prompt",
    "Provider",
    "ProviderError",
    "Reply",
    "Stop",
    "UnknownProviderError",
    "Usage",
    "configured",
    "default",
    "family_of",
    "get",
    "is_offline",
    "label_of",
    "names",
    "not_finite",
    "reply_text",
]

_PROVIDERS: dict[str, Provider] = {p.name: p for p in (OpenAI(), Anthropic(), Offline())}

BUILT_IN = tuple(_PROVIDERS)
"""The providers of every installation, in order of preference."""


class UnknownProviderError(LookupError):
    """There is no provider of this name."""


def names() -> list[str]:
    """Return the names of all providers, in order of preference."""
    return list(_PROVIDERS)


def get(name: str) -> Provider:
    """Return the provider of this name, with or without a key.

    Raises:
        UnknownProviderError: there is none.
    """
    try:
        return _PROVIDERS[name]
    except KeyError:
        known = ", ".join(_PROVIDERS)
        raise UnknownProviderError(f"No provider is called “{name}”; there are: {known}.") from None


def label_of(name: str) -> str:
    """Return a provider's label for people; the name itself for a provider that was removed."""
    return str(_PROVIDERS[name].label) if name in _PROVIDERS else name


def is_offline(name: str) -> bool:
    """Return whether rules answer instead of a model; False for a provider that was removed."""
    return name in _PROVIDERS and _PROVIDERS[name].offline


def reply_text(name: str, raw: str) -> str | None:
    """Return the text of a stored reply; None if it has none or its provider was removed."""
    return _PROVIDERS[name].reply_text(raw) if raw and name in _PROVIDERS else None


def configured() -> list[Provider]:
    """Return the providers that can answer now, in order of preference, the offline one last."""
    return [provider for provider in _PROVIDERS.values() if provider.configured()]


def default() -> Provider:
    """Return the first vendor with a key, else the offline rules."""
    return configured()[0]
