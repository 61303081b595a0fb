"""Searching everywhere: each app registers what can be found in it, and who may find it.

A source asks the database only for what the person who searches may see, and selects only what a
hit shows. So a search confirms nothing to anybody: where a name must stay hidden, no source that
this person reaches reads it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise

from curation.search.case_folding import fold

LONGEST = 200  # characters of what is typed
MOST_WORDS = 6  # more narrow nothing further


def number_of(word: str) -> int | None:
    """The number that "12" or "#12" means; None for any other word."""
    digits = word.removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody searches for: every word has to be found."""

    typed: str
    words: tuple[str, ...]

    @classmethod
    def read(cls, typed: str) -> "Words":
        """The words of what was typed, each once."""
        words = dict.fromkeys(typed[:LONGEST].split())
        return cls(" ".join(typed[:LONGEST].split()), tuple(words)[:MOST_WORDS])

    def __bool__(self) -> bool:
        return bool(self.words)

    def without(self, *nouns: str) -> "Words":
        """Without words that only name the kind, as in "run 12"; as it is where nothing is left."""
        left = tuple(word for word in self.words if fold(word) not in nouns)
        return replace(self, words=left) if left else self

    def in_columns(
        self,
        *columns: str,
        number: str = "",
        choices: Mapping[str, Iterable[tuple[str, Any]]] | None = None,
    ) -> Q:
        """A condition: each word stands in one of these columns.

        Args:
            number: a column that a word of digits may be equal to.
            choices: columns with the values they hold and the labels people read; a word finds the
                values in whose label it stands.
        """
        found = Q()
        for word in self.words:
            one = Q(pk__in=())  # a word that can stand nowhere finds nothing
            for column in columns:
                one |= Q(**{f"{column}__icontains": word})
            if number and (meant := number_of(word)) is not None:
                one |= Q(**{number: meant})
            for column, labels in (choices or {}).items():
                values = [value for value, label in labels if fold(word) in fold(str(label))]
                one |= Q(**{f"{column}__in": values})
            found &= one
        return found

    @property
    def number(self) -> int | None:
        """The number, where one was typed and nothing else."""
        return number_of(self.words[0]) if len(self.words) == 1 else None

    def in_texts(self, *texts: str) -> bool:
        """Whether each word stands in one of these texts."""
        folded = [fold(text) for text in texts]
        return all(any(fold(word) in text for text in folded) for word in self.words)


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found.

    Attributes:
        detail: what tells it from others: a key, a stage, a role.
        language: of the title, where it is somebody's text.
    """

    title: str
    url: str
    detail: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of thing that can be found.

    Attributes:
        order: its place among the others; work in hand comes first, pages come last.
        find: user, words, most -> hits, the best first. Asks the database a fixed number of
            times, and nothing at all for people this kind is not for.
        everything: where all hits of this kind are listed: user, typed -> address, or "".
    """

    key: str
    label: str | Promise
    order: int
    find: Callable[[Any, Words, int], Sequence[Hit]]
    everything: Callable[[Any, str], str] = lambda user, typed: ""


@dataclass(frozen=True, slots=True)
class Group:
    """The hits of one kind. `more` says that there are others; `url` leads to all of them."""

    key: str
    label: str
    hits: tuple[Hit, ...]
    more: bool
    url: str


_sources: dict[str, Source] = {}


def register(*sources: Source) -> None:
    """Add what an app can find. Twice counts once."""
    for source in sources:
        if _sources.setdefault(source.key, source) is not source:
            raise ValueError(f"{source.key} is registered twice")


def search(user: Any, typed: str, *, most: int) -> list[Group]:
    """What a person may find, by kind; kinds without a hit are left out.

    Args:
        most: hits of one kind.
    """
    words = Words.read(typed)
    if not words:
        return []
    groups = []
    for source in sorted(_sources.values(), key=lambda source: source.order):
        hits = tuple(source.find(user, words, most + 1))
        if hits:
            url = source.everything(user, words.typed) if len(hits) > most else ""
            groups.append(Group(source.key, str(source.label), hits[:most], len(hits) > most, url))
    return groups
