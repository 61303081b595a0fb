"""Lists and sentences joined by the rules of the active language."""

from collections.abc import Iterable, Mapping

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, pgettext


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
