"""Rows of tasks: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {}
