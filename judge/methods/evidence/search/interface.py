"""What every search offers to a verifier, and what it says of what it found.

Texts of pages are written by strangers. A search caps and cleans them, and says what is odd about
them; whoever shows them to a model puts them between fences.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

MOST_HITS = 20
QUERY_CHARACTERS = 400  # of a query that are read
PAGE_CHARACTERS = 100_000  # of a page that are kept
EXCERPT_CHARACTERS = 300


class Note(StrEnum):
    """What a verifier has to know about a page."""

    INSTRUCTIONS = "instructions"  # it speaks to whoever judges, as if to give orders
    HIDDEN = "hidden"  # text that its readers do not see was left out
    INVISIBLE = "invisible"  # characters that nobody sees were left out
    CUT = "cut"  # only its beginning was read
    ENCODING = "encoding"  # it is not in the encoding it names, or in none that is known
    CHANGED = "changed"  # an earlier copy of the address says something else
    ALTERED = "altered"  # the file is not the one that was fetched
    REDIRECTED = "redirected"  # the address led to another one


class Gap(StrEnum):
    """Why there is no text."""

    NOT_STORED = "not_stored"  # nothing is known of the address; it may exist
    DEAD = "dead"  # it was tried and gave nothing
    PRIVATE = "private"  # it is, or leads to, an address inside somebody's own network
    NO_WEB_ADDRESS = "no_web_address"
    LOOP = "loop"  # it leads back to itself, or on and on
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"  # of a kind that is not read, or damaged
    EMPTY = "empty"
    OUTSIDE = "outside"  # the file does not lie in the folder of the store


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that fits a query; `excerpt` is the passage that fits best."""

    address: str
    title: str
    excerpt: str
    fetched_at: datetime
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """The text of an address, or why there is none.

    Attributes:
        address: the one asked for; `final` is where it led.
        fetched_at: when the text was fetched; None without one.
        gap: None if and only if there is a text.
    """

    address: str
    final: str
    title: str
    text: str
    fetched_at: datetime | None
    notes: tuple[Note, ...] = ()
    gap: Gap | None = None


class SearchError(Exception):
    """The search itself failed: nothing is known, which is not the same as nothing found."""


class Search(Protocol):
    """A search. Both methods raise SearchError where it cannot answer."""

    def find(self, query: str, limit: int = 5) -> Sequence[Hit]:
        """Return the pages that fit a query best, the best first, at most `MOST_HITS`."""
        ...

    def page(self, address: str) -> Page:
        """Return the text of an address."""
        ...
