"""Rows of scoring: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {}
