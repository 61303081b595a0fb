"""Rows of the search: route name -> verb -> permission. Everybody finds what they may see."""

ROUTES: dict[str, dict[str, str]] = {
    "search": {"GET": "signed_in"},
    "search-found": {"GET": "signed_in"},
}
