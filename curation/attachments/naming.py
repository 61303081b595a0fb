"""The words by which a person can be told, and where a text holds them. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

_MOST_WORDS = 40  # of all people together; longer ones first


def identifying_words(user: Any) -> list[str]:
    """Return the words that identify a person, longest first.

    They come from the name, the local part of the e-mail address and the affiliation.
    """
    parts = re.split(r"[\W_]+", user.display_name) + re.split(r"[\W\d_]+", user.email.split("@")[0])
    whole = [user.display_name.strip(), user.affiliation.strip()]
    words = {word for word in parts if len(word) >= (3 if word.isascii() else 2)}
    return sorted({word for word in whole if len(word) >= 2} | words, key=len, reverse=True)


def mentions(people: Iterable[str], words: Iterable[str]) -> bool:
    """Return whether one of the names contains one of the words, in any case."""
    folded = [word.casefold() for word in words]
    return any(word in person.casefold() for person in people for word in folded)


def words_in_texts(user: Any) -> list[str]:
    """Return the words of a person to look for in running text (`find_words`), longest first.

    The whole address and its local part are added; they count in any case.
    """
    local = user.email.split("@")[0]
    more = {user.email} | ({local} if len(local) >= 5 else set())
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
