"""Rows of the drafts: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {
    "rubric-drafts": {"GET": "signed_in", "POST": "signed_in"},
    "rubric-drafts-progress": {"GET": "signed_in"},
    "staff-drafts": {"GET": "staff"},
    "staff-drafts-csv": {"GET": "staff"},
}
