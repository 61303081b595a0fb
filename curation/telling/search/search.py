"""The search over all apps. Each app registers sources: what can be found, and by whom.

A source queries only what the searching person may see, and selects only what a hit shows. So a
search reveals nothing hidden, not even that it exists.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise

from curation.telling.search.case_folding import fold

LONGEST = 200  # characters of a search
MOST_WORDS = 6  # further words are ignored


def number_of(word: str) -> int | None:
    """Return the number in "12" or "#12"; None for any other word."""
    digits = word.removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """The words of a search. A hit contains all of them."""

    typed: str
    words: tuple[str, ...]

    @classmethod
    def read(cls, typed: str) -> "SearchTerms":
        """Split what was typed into words, each once."""
        words = dict.fromkeys(typed[:LONGEST].split())
        return cls(" ".join(typed[:LONGEST].split()), tuple(words)[:MOST_WORDS])

    def __bool__(self) -> bool:
        return bool(self.words)

    def without(self, *nouns: str) -> "SearchTerms":
        """Drop words that only name the kind, as in "run 12", unless no word would be left."""
        left = tuple(word for word in self.words if fold(word) not in nouns)
        return replace(self, words=left) if left else self

    def in_columns(
        self,
        *columns: str,
        number: str = "",
        choices: Mapping[str, Iterable[tuple[str, Any]]] | None = None,
    ) -> Q:
        """Return a condition: each word is contained in one of these columns.

        Args:
            number: a numeric column; a word of digits may also equal it.
            choices: column -> (value, label) pairs; a word also matches values by their label.
        """
        found = Q()
        for word in self.words:
            one = Q(pk__in=())  # matches nothing, unless a column is added
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
        """The number, if the search is a single number."""
        return number_of(self.words[0]) if len(self.words) == 1 else None

    def in_texts(self, *texts: str) -> bool:
        """Return whether each word is contained in one of these texts."""
        folded = [fold(text) for text in texts]
        return all(any(fold(word) in text for text in folded) for word in self.words)


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result.

    Attributes:
        detail: what tells it apart from others: a key, a stage, a role.
        language: language of the title, if a person wrote it.
    """

    title: str
    url: str
    detail: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of thing that can be found.

    Attributes:
        order: position among the sources; open work comes first, pages come last.
        find: (user, words, most) -> hits, best first. Makes a fixed number of queries, and none
            for people who may not find this kind.
        everything: (user, typed) -> address of the list of all hits of this kind, or "".
    """

    key: str
    label: str | Promise
    order: int
    find: Callable[[Any, SearchTerms, int], Sequence[Hit]]
    everything: Callable[[Any, str], str] = lambda user, typed: ""


@dataclass(frozen=True, slots=True)
class Group:
    """The hits of one kind. `more`: there are further hits; `url` lists all of them, if not ""."""

    key: str
    label: str
    hits: tuple[Hit, ...]
    more: bool
    url: str


_sources: dict[str, Source] = {}


def register(*sources: Source) -> None:
    """Register the sources of an app. Idempotent.

    Raises:
        ValueError: another source has the same key.
    """
    for source in sources:
        if _sources.setdefault(source.key, source) is not source:
            raise ValueError(f"{source.key} is registered twice")


def search(user: Any, typed: str, *, most: int) -> list[Group]:
    """Return what a person may find, by kind, without the kinds that have no hit.

    Args:
        most: maximum number of hits of each kind.
    """
    words = SearchTerms.read(typed)
    if not words:
        return []
    groups = []
    for source in sorted(_sources.values(), key=lambda source: source.order):
        hits = tuple(source.find(user, words, most + 1))
        if hits:
            url = source.everything(user, words.typed) if len(hits) > most else ""
            groups.append(Group(source.key, str(source.label), hits[:most], len(hits) > most, url))
    return groups
