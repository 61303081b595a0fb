"""The words by which a person can be told, and where a text holds them. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_MOST_WORDS = 40  # of all people together; longer ones first

# Local parts of addresses that name a role and nobody: “Office” in a text or “info” in a link would
# be taken for a name. A role that is part of a name is still looked for.
ROLES = frozenset({
    "admin", "author", "billing", "contact", "desk", "editor", "enquiries", "expert", "hello",
    "info", "mail", "member", "office", "post", "research", "review", "reviewer", "sales",
    "secretary", "service", "staff", "support", "team", "user", "webmaster",
})  # fmt: skip


def identifying_words(user: Any) -> list[str]:
    """Return the words that identify a person, longest first.

    They come from the name, the local part of the e-mail address (but `ROLES`) and the affiliation.
    """
    local = re.split(r"[\W\d_]+", user.email.split("@")[0])
    parts = re.split(r"[\W_]+", user.display_name)
    parts += [word for word in local if word.casefold() not in ROLES]
    whole = [user.display_name.strip(), user.affiliation.strip()]
    words = {word for word in parts if len(word) >= (3 if word.isascii() else 2)}
    return sorted({word for word in whole if len(word) >= 2} | words, key=len, reverse=True)


@dataclass(frozen=True, order=True)
class Named:
    """A name that stands in a document beside its text.

    Attributes:
        place: "properties", "comments", "links" or "text" (tracked changes, drawings).
    """

    place: str
    name: str


def first_mention(people: Iterable[Named], words: Iterable[str]) -> tuple[Named, str] | None:
    """Return a name that contains one of the words, in any case, with that word; else None."""
    found = (
        (named, word)
        for named in sorted(people)
        for word in words
        if word.casefold() in named.name.casefold()
    )
    return next(found, None)


def words_in_texts(user: Any) -> list[str]:
    """Return the words of a person to look for in running text (`find_words`), longest first.

    The whole address and its local part (but `ROLES`) are added; they count in any case.
    """
    local = user.email.split("@")[0]
    tells = len(local) >= 5 and local.casefold() not in ROLES
    more = {user.email} | ({local} if tells else set())
    return sorted({*identifying_words(user), *more}, key=len, reverse=True)


def find_words(text: str, words: Sequence[str]) -> list[str]:
    """Return the words that stand in a text, as they stand there, each once.

    Words count whole: "Ting" is not in "settings". A single word in Latin letters begins with a
    capital there, as names do, so that "May" is not found in "may"; Chinese has no spaces, so
    its words count anywhere. Linear in the length of the text.
    """
    if not words:
        return []
    text = unicodedata.normalize("NFC", text)
    found = _pattern_of([unicodedata.normalize("NFC", word) for word in words[:_MOST_WORDS]])
    return list(dict.fromkeys(match[0] for match in found.finditer(text)))


def _pattern_of(words: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of words in running text.

    It asks once for each place whether a word begins there, not once for each word: a page looks
    through all that its files hold.
    """
    anywhere = [word for word in words if word.isalpha() and not _has_case(word)]
    # Several words, an address, an account: nobody writes them by chance.
    in_any_case = [word for word in words if not word.isalpha()]
    forms = [form for word in words if word.isalpha() and _has_case(word) for form in _forms(word)]
    whole = [f"(?i:{_one_of(in_any_case)})"] if in_any_case else []
    whole += [_one_of(forms)] if forms else []
    parts = [rf"(?<![^\W_])(?:{'|'.join(whole)})(?![^\W_])"] if whole else []
    return re.compile("|".join([*parts, *map(re.escape, anywhere)]))


def _one_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


def _has_case(word: str) -> bool:
    return any(sign.lower() != sign.upper() for sign in word)


def _forms(word: str) -> list[str]:
    """Return how a single word is written as a name."""
    forms = {word, word.upper(), word[:1].upper() + word[1:].lower(), word[:1].upper() + word[1:]}
    return sorted(forms - {word.lower()})
