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
    "label_of",
    "names",
    "not_finite",
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


def configured() -> list[Provider]:
    """Those that could answer now, in order of preference; the offline one is always last."""
    return [provider for provider in _PROVIDERS.values() if provider.configured()]


def default() -> Provider:
    """The first vendor with a key, else the offline rules."""
    return configured()[0]
