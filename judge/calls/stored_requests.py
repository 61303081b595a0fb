"""Requests of calls outside of runs, as they are stored."""

import hashlib
from functools import lru_cache
from typing import Any

from judge.calls import prompt_prefixes
from judge.calls.models import PromptPrefix
from judge.providers.base import Prompt


def kept(request: dict[str, Any], prompt: Prompt) -> dict[str, Any]:
    """The request of a call outside of a run as it is stored, after its prefix.

    To be called in the transaction that stores the call. Siblings share a prefix here too: answers
    to all tasks of a domain, the samples of a probe, drafts in one language.
    """
    if not prompt.prefix:
        return request
    sha256 = _sha256(prompt.prefix)
    taken = prompt_prefixes.taken_out(request, prompt.prefix, sha256)
    if taken is not request:
        prefix = PromptPrefix(sha256=sha256, text=prompt.prefix)
        PromptPrefix.objects.bulk_create([prefix], ignore_conflicts=True)
    return taken


@lru_cache(maxsize=8)  # siblings follow each other
def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
