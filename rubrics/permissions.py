"""Rubrics's rows: who may do what."""

PERMISSIONS: dict[str, list] = {}
ROUTES: dict[str, dict[str, str]] = {}
