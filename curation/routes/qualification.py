"""Rows of qualification: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {
    "apply": {"GET": "signed_in", "POST": "signed_in"},
    "application": {"GET": "signed_in"},
    "exam-start": {"GET": "signed_in", "POST": "signed_in"},
    "training": {"GET": "signed_in", "POST": "signed_in"},
    "exam": {"GET": "signed_in"},
    "exam-save": {"POST": "signed_in"},
    "exam-hand-in": {"POST": "signed_in"},
    "trial": {"GET": "signed_in"},
    "trial-save": {"POST": "signed_in"},
    "trial-hand-in": {"POST": "signed_in"},
    "trials": {"GET": "senior"},
    "trial-decide": {"GET": "senior", "POST": "senior"},
    "staff-applications": {"GET": "staff"},
    "staff-application": {"GET": "staff", "POST": "staff"},
    "staff-people": {"GET": "staff"},
    "staff-invite": {"GET": "staff", "POST": "staff"},
    "staff-person": {"GET": "staff"},
    "staff-grant-slot": {"POST": "staff"},
    "staff-senior": {"POST": "staff"},
}
