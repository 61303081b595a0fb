"""Rows of qualification: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {
    "training": {"GET": "signed_in"},
    "training-changes": {"GET": "signed_in"},
    "training-unit": {"GET": "signed_in", "POST": "signed_in"},
    "application-training": {"GET": "signed_in"},
    "trial": {"GET": "signed_in"},
    "trial-save": {"POST": "signed_in"},
    "trial-preview": {"POST": "signed_in"},
    "trial-hand-in": {"POST": "signed_in"},
    "trials": {"GET": "senior"},
    "trial-decide": {"GET": "senior", "POST": "senior"},
    "staff-people": {"GET": "staff"},
    "staff-person": {"GET": "staff"},
    "staff-grant-slot": {"POST": "staff"},
    "staff-senior": {"POST": "staff"},
    "staff-standing": {"POST": "staff"},
}
