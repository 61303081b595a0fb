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
    "staff-prices": _FORM,
    "staff-candidates": _READ,
    "staff-candidate-new": _FORM,
    "staff-candidate": _FORM,
    "staff-candidate-retire": _POST,
    "staff-generation-new": _FORM,
    "staff-generation": _FORM,
    "staff-responses": _READ,
    "staff-response": _READ,
    "api-candidates": _FORM,
    "api-candidate": {"GET": "staff", "PATCH": "staff"},
    "alignment": {"GET": "senior_or_staff"},
    "alignment-csv": {"GET": "senior_or_staff"},
    "alignment-json": {"GET": "senior_or_staff"},
    "alignment-thresholds": _FORM,
    "agreement": {"GET": "senior_or_staff"},
    "agreement-csv": {"GET": "senior_or_staff"},
    "agreement-task": {"GET": "senior_or_staff"},
    "agreement-lines": {"GET": "senior_or_staff"},
    "agreement-take": {"POST": "senior"},
    "agreement-settle": {"POST": "senior"},
    "alignment-sets": _READ,
    "alignment-set-new": _FORM,
    "alignment-set": _READ,
    "alignment-sheet": _READ,
    "staff-sheets": _FORM,
    "staff-sheet-release": _FORM,
    "staff-check-release": _FORM,
    "leaderboard": _READ,
    "leaderboard-csv": _READ,
    "leaderboard-json": _READ,
    "gold": _READ,
    "gold-draw": _FORM,
    "gold-anchors": _FORM,
    "gold-baseline": _FORM,
    "gold-release-new": _FORM,
    "gold-release": _READ,
    "gold-download": _READ,
}
