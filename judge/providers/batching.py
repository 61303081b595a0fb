"""A provider's batch interface: many questions at once, answered within a day.

Each step is a call of its own, and what it makes can be found again by our mark. So a process
killed between two steps neither loses a batch nor sends it twice.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from judge.providers.base import Prompt, ProviderError, Reply

MOST_REQUESTS = 1_000
"""Questions in one batch; vendors take many more, but we read the replies in one piece."""

MOST_BYTES = 64_000_000
"""Of the questions of one batch. OpenAI takes 200 MB (100 until lately), Anthropic 256 MB, where
every sign that is not ASCII may count twice."""

PAGES = 10
"""Of a list of files or batches that are looked through for our own."""

FULL = "token_limit_exceeded"
"""How `Look.failed` begins where only the queue of the provider has no room for so much."""


@dataclass(frozen=True)
class Look:
    """How a batch stands: over or not, and why nothing came of it."""

    ended: bool
    failed: str = ""


@dataclass(frozen=True)
class Line:
    """One question: the name it has in the batch, and the body of the request."""

    name: str
    body: Mapping[str, Any]


def rows_of(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file of results.

    A line ends at a line feed and nowhere else: U+2028 and its like may stand inside a JSON string,
    and a judge quotes whatever its candidate wrote. What is cut is missing, and asked for again.
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

    `finds_its_own` says whether `find` is certain; else what it finds may be somebody else's.
    """

    finds_its_own: bool

    def body(self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The request that `complete` would send."""
        ...

    def upload(self, mark: str, lines: Sequence[Line], *, again: bool) -> str:
        """Bring the questions there; the file's id, or "" where they go along with `create`.

        `again`: an earlier attempt may have arrived; what it left is used.
        """
        ...

    def create(self, mark: str, upload_id: str, lines: Sequence[Line]) -> str:
        """Start the batch; its id."""
        ...

    def find(
        self, mark: str, *, since: datetime, requests: int, known: Collection[str]
    ) -> str | None:
        """The id of a batch that was started by an attempt of which we heard nothing.

        `since` is when that attempt began, `known` are the ids of our other batches.
        """
        ...

    def look(self, remote_id: str) -> Look:
        """How it stands."""
        ...

    def results(self, remote_id: str) -> Iterator[tuple[str, Reply | ProviderError]]:
        """What came back, by the name of the question, in any order; some may be missing."""
        ...

    def cancel(self, remote_id: str) -> None:
        """Ask for its end; what was answered already is billed."""
        ...
