"""The prefixes of prompts, stored when a call first names them."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Any

from django.db import transaction

from judge import prefixes
from judge.engine import rows
from judge.engine.events import Called
from judge.models import PromptPrefix
from judge.providers import Prompt

_REMEMBERED = 1_000  # a run begins its tasks one after the other: the last ones are enough


class Prefixes:
    """Which prefixes a session knows to be stored; for one thread."""

    def __init__(self) -> None:
        self._stored: set[str] = set()

    def taken_out_of(self, called: Called, fresh: dict[str, str]) -> dict[str, Any]:
        """The request of an attempt as it is stored.

        Its prefix is added to `fresh`, unless it is known to be stored.
        """
        stuff = called.job.material
        request = prefixes.taken_out(called.request, stuff.prefix, stuff.prefix_sha256)
        if request is not called.request and self.unknown(stuff.prefix_sha256):
            fresh[stuff.prefix_sha256] = stuff.prefix
        return request

    def unknown(self, sha256: str) -> bool:
        """Whether a prefix may not be stored yet."""
        return sha256 not in self._stored

    def store(self, fresh: Mapping[str, str]) -> None:
        """Store prefixes, before the calls that name them and in their transaction."""
        if not fresh:
            return
        # One order for all: another run may store the same ones in this moment.
        rows.insert(PromptPrefix, ("sha256", "text"), sorted(fresh.items()), unless_there=True)
        # What is rolled back has to be stored again.
        transaction.on_commit(partial(self._remember, tuple(fresh)))

    def _remember(self, names: Iterable[str]) -> None:
        if len(self._stored) >= _REMEMBERED:
            self._stored.clear()
        self._stored.update(names)


def kept(request: dict[str, Any], prompt: Prompt) -> dict[str, Any]:
    """The request of a call outside of a run as it is stored, after its prefix.

    To be called in the transaction that stores the call. Siblings share a prefix here too: answers
    to all tasks of a domain, the samples of a probe, drafts in one language.
    """
    if not prompt.prefix:
        return request
    sha256 = _sha256(prompt.prefix)
    taken = prefixes.taken_out(request, prompt.prefix, sha256)
    if taken is not request:
        rows.insert(PromptPrefix, ("sha256", "text"), [(sha256, prompt.prefix)], unless_there=True)
    return taken


@lru_cache(maxsize=8)  # siblings follow each other
def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
