"""The languages people may work in, with their names in the reader's language."""

from functools import lru_cache

from babel import Locale, UnknownLocaleError
from django.conf import global_settings
from django.utils.translation import get_language

# Regional variants of English and Spanish and constructed languages: no use for assigning tasks.
_LEFT_OUT = {"eo", "ia", "io", "en-au", "en-gb", "es-ar", "es-co", "es-mx", "es-ni", "es-ve"}
_NAMED = {code: name for code, name in global_settings.LANGUAGES if code not in _LEFT_OUT}
CODES = tuple(_NAMED)


def name_of(code: str) -> str:
    """Return a language's name in the reader's language; the code itself if it is unknown.

    Names come from Unicode's locale data (by Babel); languages missing there have English names.
    """
    reader = Locale.parse(get_language() or "en", sep="-")
    try:
        name = Locale.parse(code, sep="-").get_display_name(reader)
    except (UnknownLocaleError, ValueError):  # a language without locale data of its own
        name = reader.languages.get(code)
    if reader.language == "zh" and name:  # Chinese text uses full-width brackets
        name = name.replace(" (", "（").replace(")", "）")
    return name or _NAMED.get(code, code)


def choices() -> list[tuple[str, str]]:
    """Return (code, name) pairs sorted by name."""
    return list(_choices(get_language() or "en"))


@lru_cache(maxsize=8)
def _choices(_language: str) -> tuple[tuple[str, str], ...]:
    named = [(code, name_of(code)) for code in CODES]
    return tuple(sorted(named, key=lambda pair: _sort_key(pair[1])))


def _sort_key(name: str) -> bytes:
    """Return the sort key of a name; GB 18030 sorts common Chinese characters by pronunciation."""
    if (get_language() or "").startswith("zh"):
        return name.encode("gb18030")
    return name.casefold().encode()
