"""The search source for pages: what a person may open, by the names that the routes declare."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, override, pgettext_lazy

from config.navigation import menu_entries
from curation.base.access import permissions, trail
from curation.base.web.optional_urls import url_or_empty
from curation.telling.search.search import Hit, SearchTerms, Source


def pages(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find pages that this person may open by their name in the active language or in English.

    The entries of their menu come first. A page whose address has a parameter is not found.
    """
    found = []
    for route in dict.fromkeys((*menu_entries(user), *trail.trails())):
        place = trail.of(route)
        if not isinstance(place.label, Promise) or "<" in place.address:
            continue
        permission = permissions.permission_of(route, "GET")
        if permission is None or not permissions.allows(user, permission):
            continue
        names = (place.label, place.name)
        if words.in_texts(*map(str, names), *map(_in_english, names)):
            found.append(Hit(str(place.name), url_or_empty(route)))
            if len(found) == most:
                break
    return found


def _in_english(label: Any) -> str:
    if get_language() == "en":
        return str(label)
    with override("en"):
        return str(label)


SOURCES = (Source("pages", pgettext_lazy("of the product", "Pages"), 90, pages),)
