"""Rows of runs, alignment, leaderboard and gold: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {}
