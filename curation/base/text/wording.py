"""Lists, sentences, numbers and names of languages by the rules of the active language."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from django.conf import global_settings
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, pgettext


def decimal(value: float | None, places: int = 2) -> str:
    """Format a number with at most two decimals and a real minus sign; None as a dash."""
    if value is None:
        return "–"
    text = f"{float(value):,.{min(int(places), 2)}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.replace("-", "")


def percent(share: float | None, places: int = 0) -> str:
    """Format a share (0 to 1) as percent, in English with a no-break space: 98.4 %, 100 %.

    Decimals that are all zero are dropped; None is a dash.
    """
    gap = "" if (get_language() or "").startswith("zh") else "\u00a0"
    if share is None:
        return "–"
    whole, _dot, rest = decimal(100 * float(share), places).partition(".")
    return f"{whole}.{rest}{gap}%" if rest.strip("0") else f"{whole}{gap}%"


def listed(items: Iterable[object]) -> str:
    """Join items with the language's separator: "Law, Finance", or "法律、金融"."""
    return pgettext("between the items of a list", ", ").join(str(item) for item in items)


def clauses(items: Iterable[object]) -> str:
    """Join items that contain commas with the language's stronger separator."""
    return pgettext("between the clauses of a sentence", "; ").join(str(item) for item in items)


def translate_stored(stored: str, facts: Mapping[str, object] | None = None) -> str:
    """Translate a sentence that the machine stored in English; "" stays "".

    Args:
        stored: a sentence marked with `gettext_noop`; one without a translation is returned as is.
        facts: values of its placeholders; None if it has none and may contain "%".
    """
    if not stored:
        return ""
    return gettext(stored) % facts if facts else gettext(stored)


def gap() -> str:
    """Return what separates two sentences: a space, in Chinese nothing."""
    return "" if (get_language() or "").startswith("zh") else " "


def sentences(parts: Iterable[str]) -> SafeString:
    """Join whole sentences into safe HTML, in Chinese without spaces.

    Safe parts are kept, others are escaped, empty parts are skipped.
    """
    # each part went through conditional_escape
    return mark_safe(gap().join(conditional_escape(part) for part in parts if part))  # noqa: S308


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
