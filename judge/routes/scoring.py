"""Rows of scoring: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {
    "scoring": {"GET": "expert"},
    "sheet-take": {"POST": "expert"},
    "sheet": {"GET": "expert"},
    "sheet-line": {"POST": "expert"},
    "sheet-submit": {"POST": "expert"},
    "sheet-hand-back": {"GET": "expert", "POST": "expert"},
    "meta-take": {"POST": "senior"},
    "meta": {"GET": "senior", "POST": "senior"},
    "api-sheets": {"GET": "expert"},
    "api-sheet": {"GET": "expert"},
    "api-sheet-line": {"PUT": "expert"},
    "api-sheet-submit": {"POST": "expert"},
}
