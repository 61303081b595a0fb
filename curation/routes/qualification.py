"""Rows of qualification: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {}
