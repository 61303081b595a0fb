"""Rows of runs, alignment, leaderboard and gold: route name -> verb -> permission.

The leaderboard and everything that names candidates is for staff alone: whoever may still score a
response blind must not learn which candidate is good. Seniors read the alignment report without
its disagreements, which would name responses they may have to score.
"""

_READ = {"GET": "staff"}
_FORM = {"GET": "staff", "POST": "staff"}
_POST = {"POST": "staff"}

ROUTES: dict[str, dict[str, str]] = {
    "staff-runs": _READ,
    "staff-run-new": _FORM,
    "staff-run": _READ,
    "staff-run-progress": _READ,
    "staff-run-pause": _POST,
    "staff-run-resume": _POST,
    "staff-run-cancel": _POST,
    "staff-run-twin": _POST,
    "staff-call": _READ,
    "staff-candidates": _READ,
    "alignment": {"GET": "senior_or_staff"},
    "alignment-csv": {"GET": "senior_or_staff"},
    "alignment-json": {"GET": "senior_or_staff"},
    "alignment-thresholds": _FORM,
    "leaderboard": _READ,
    "leaderboard-csv": _READ,
    "leaderboard-json": _READ,
    "gold": _READ,
    "gold-draw": _FORM,
    "gold-release-new": _FORM,
    "gold-release": _READ,
    "gold-download": _READ,
}
