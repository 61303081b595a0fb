"""Lists and sentences put together by the rules of the reader's language."""

from collections.abc import Iterable, Mapping

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, pgettext


def listed(items: Iterable[object]) -> str:
    """Items with the language's own mark between them: "Law, Finance", or "法律、金融"."""
    return pgettext("between the items of a list", ", ").join(str(item) for item in items)


def clauses(items: Iterable[object]) -> str:
    """Items that hold commas themselves, with the language's own mark between them."""
    return pgettext("between the clauses of a sentence", "; ").join(str(item) for item in items)


def told(stored: str, facts: Mapping[str, object] | None = None) -> str:
    """What a machine stored in English, in the reader's language; "" for nothing.

    Args:
        stored: a sentence marked with `gettext_noop`, or one that no catalogue knows.
        facts: what fills its blanks; without any, the sentence is taken as it stands.
    """
    if not stored:
        return ""
    return gettext(stored) % facts if facts else gettext(stored)


def gap() -> str:
    """What stands between two whole sentences: a space; nothing where the full stop is wide."""
    return "" if (get_language() or "").startswith("zh") else " "


def sentences(parts: Iterable[str]) -> SafeString:
    """Whole sentences one after the other; Chinese leaves no space behind a full stop.

    Safe parts stay as they are, everything else is escaped; empty parts are left out.
    """
    # each part went through conditional_escape
    return mark_safe(gap().join(conditional_escape(part) for part in parts if part))  # noqa: S308
