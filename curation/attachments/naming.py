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
    forms = "|".join(_form(unicodedata.normalize("NFC", word)) for word in words[:_MOST_WORDS])
    found = re.finditer(forms, text)
    return list(dict.fromkeys(match[0] for match in found))


def _form(word: str) -> str:
    """Return the pattern of a word in running text."""
    if not word.isalpha():  # several words, an address, an account: nobody writes it by chance
        return rf"(?<![^\W_])(?i:{re.escape(word)})(?![^\W_])"
    if not any(character.lower() != character.upper() for character in word):
        return re.escape(word)
    forms = {word, word.upper(), word[:1].upper() + word[1:].lower(), word[:1].upper() + word[1:]}
    forms -= {word.lower()}
    return rf"(?<![^\W_])(?:{'|'.join(map(re.escape, sorted(forms)))})(?![^\W_])"
