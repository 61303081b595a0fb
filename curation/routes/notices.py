"""Rows of notices: route name -> verb -> permission. Each person reaches only their own."""

from curation.routes import OPEN_POST

ROUTES: dict[str, dict[str, str]] = {
    "notices": {"GET": "signed_in"},
    "notices-read": {"POST": "signed_in"},
    "notice-open": {"POST": "signed_in"},
    "notice-read": {"POST": "signed_in"},
    "notices-stop": OPEN_POST,  # the signed link is the proof
}
