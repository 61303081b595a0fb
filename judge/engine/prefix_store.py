"""The prefixes of prompts, stored when a call first names them."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.db import transaction

from judge.calls import prompt_prefixes
from judge.calls.models import PromptPrefix
from judge.engine import rows
from judge.engine.events import Called

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
        request = prompt_prefixes.taken_out(called.request, stuff.prefix, stuff.prefix_sha256)
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
