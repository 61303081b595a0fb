"""The languages people may say they work in, by the names readers know."""

from functools import lru_cache

from babel import Locale, UnknownLocaleError
from django.conf import global_settings
from django.utils.translation import get_language

# Dialects of English and Spanish and invented languages say nothing about who can read a task.
_LEFT_OUT = {"eo", "ia", "io", "en-au", "en-gb", "es-ar", "es-co", "es-mx", "es-ni", "es-ve"}
_NAMED = {code: name for code, name in global_settings.LANGUAGES if code not in _LEFT_OUT}
CODES = tuple(_NAMED)


def name_of(code: str) -> str:
    """A language's name in the reader's language; the code itself where it is unknown.

    The names are those of Unicode's locale data (by Babel), as every system calls them; English
    stands in for the few languages that data leaves out.
    """
    reader = Locale.parse(get_language() or "en", sep="-")
    try:
        name = Locale.parse(code, sep="-").get_display_name(reader)
    except (UnknownLocaleError, ValueError):  # a language without locale data of its own
        name = reader.languages.get(code)
    if reader.language == "zh" and name:  # a bracket among Chinese words is a wide one
        name = name.replace(" (", "（").replace(")", "）")
    return name or _NAMED.get(code, code)


def choices() -> list[tuple[str, str]]:
    """(code, name) in the order of the names."""
    return list(_choices(get_language() or "en"))


@lru_cache(maxsize=8)
def _choices(_language: str) -> tuple[tuple[str, str], ...]:
    named = [(code, name_of(code)) for code in CODES]
    return tuple(sorted(named, key=lambda pair: _place(pair[1])))


def _place(name: str) -> bytes:
    """What a reader's list is sorted by: GB 18030 puts common Chinese characters by their sound."""
    if (get_language() or "").startswith("zh"):
        return name.encode("gb18030")
    return name.casefold().encode()
