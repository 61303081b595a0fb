"""The batch interface of a provider: many questions at once, answered within a day.

Each step is a call of its own, and its result can be found again by our mark, so that a process
killed between two steps neither loses a batch nor sends it twice.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from judge.asking.providers.base import Prompt, ProviderError, Reply

MOST_REQUESTS = 1_000
"""Questions in one batch; vendors accept many more, but the replies are read in one piece."""

MOST_BYTES = 64_000_000
"""Bytes of the questions of one batch. OpenAI accepts 200 MB (earlier 100), Anthropic 256 MB, where
a character that is not ASCII may count twice."""

PAGES = 10
"""Pages of a list of files or batches that are searched for our own."""

FULL = "token_limit_exceeded"
"""Prefix of `BatchStatus.failed` if the provider's queue has no room for the batch now."""


@dataclass(frozen=True)
class BatchStatus:
    """Whether a batch has ended, and why it failed; "" if it did not."""

    ended: bool
    failed: str = ""


@dataclass(frozen=True)
class Line:
    """A question: its name in the batch and the body of the request."""

    name: str
    body: Mapping[str, Any]


def rows_of(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file of results.

    Lines end at line feeds only, because U+2028 and others may be inside a JSON string: a judge
    quotes what its candidate wrote. An incomplete line is skipped, and its question asked again.
    """
    for line in text.split("\n"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


class Batches(Protocol):
    """A vendor's batch interface. Every method raises `ProviderError`.

    `finds_its_own` says whether `find` is certain; else the batch may be somebody else's.
    """

    finds_its_own: bool

    def body(self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the body of the request that `complete` would send."""
        ...

    def upload(self, mark: str, lines: Sequence[Line], *, again: bool) -> str:
        """Upload the questions; return the file's id, or "" if `create` sends them.

        Args:
            again: whether an earlier attempt may have arrived, whose file is then used.
        """
        ...

    def create(self, mark: str, upload_id: str, lines: Sequence[Line]) -> str:
        """Start the batch and return its id."""
        ...

    def find(
        self, mark: str, *, since: datetime, requests: int, known: Collection[str]
    ) -> str | None:
        """Return the id of a batch that an attempt without a reply has started; None without one.

        Args:
            since: when the attempt began.
            requests: the number of questions in the batch.
            known: the ids of our other batches.
        """
        ...

    def status(self, remote_id: str) -> BatchStatus: ...

    def results(self, remote_id: str) -> Iterator[tuple[str, Reply | ProviderError]]:
        """Yield (name of a question, its outcome) in any order; some may be missing."""
        ...

    def cancel(self, remote_id: str) -> None:
        """Ask the provider to cancel a batch; answers it has already are billed."""
        ...
