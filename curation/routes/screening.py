"""Rows of the panel: route name -> verb -> permission."""

from curation.routes import SIGNED_POST

STAFF_POST = {"GET": "staff", "POST": "staff"}

ROUTES: dict[str, dict[str, str]] = {
    "screening": {"GET": "expert"},
    "screening-join": {"POST": "expert"},
    "screening-vote": SIGNED_POST,
    "screening-skip": SIGNED_POST,
    "reference-check": SIGNED_POST,
    "reference-check-save": {"POST": "signed_in"},
    "reference-check-decide": {"POST": "signed_in"},
    "staff-screening": {"GET": "staff"},
    "staff-panel": {"GET": "staff"},
    "staff-panel-give": {"POST": "staff"},
    "staff-panel-decide": {"POST": "staff"},
    "staff-place-take-back": STAFF_POST,
    "staff-policies": {"GET": "staff"},
    "staff-policy": STAFF_POST,
}
