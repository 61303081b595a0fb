"""Everyone who can answer a prompt. The vendors' SDKs are imported here and nowhere else."""

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
    "said",
]

_PROVIDERS: dict[str, Provider] = {p.name: p for p in (OpenAI(), Anthropic(), Offline())}


class UnknownProviderError(LookupError):
    """Nobody goes by that name here."""


def names() -> list[str]:
    """All provider names, in order of preference."""
    return list(_PROVIDERS)


def get(name: str) -> Provider:
    """The provider called `name`, whether or not it has a key. Raises `UnknownProviderError`."""
    try:
        return _PROVIDERS[name]
    except KeyError:
        known = ", ".join(_PROVIDERS)
        raise UnknownProviderError(f"No provider is called “{name}”; there are: {known}.") from None


def label_of(name: str) -> str:
    """What people call the provider; the name itself where a row names one that is gone."""
    return str(_PROVIDERS[name].label) if name in _PROVIDERS else name


def is_offline(name: str) -> bool:
    """Whether rules answer instead of a model; no for the name of a provider that is gone."""
    return name in _PROVIDERS and _PROVIDERS[name].offline


def said(name: str, raw: str) -> str | None:
    """The text of a reply as it is stored; None where there is none, or nobody who can read it."""
    return _PROVIDERS[name].said(raw) if raw and name in _PROVIDERS else None


def configured() -> list[Provider]:
    """Those that could answer now, in order of preference; the offline one is always last."""
    return [provider for provider in _PROVIDERS.values() if provider.configured()]


def default() -> Provider:
    """The first vendor with a key, else the offline rules."""
    return configured()[0]
