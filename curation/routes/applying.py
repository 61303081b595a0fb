"""Rows of applications and terms: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {
    "terms": {"GET": "open", "POST": "signed_in"},
    "apply": {"GET": "signed_in", "POST": "signed_in"},
    "apply-draft": {"POST": "signed_in"},
    "application": {"GET": "signed_in"},
    "application-withdraw": {"POST": "signed_in"},
    "certification-add": {"POST": "signed_in"},
    "certification-evidence": {"POST": "signed_in"},
    "certification-remove": {"POST": "signed_in"},
    "staff-applications": {"GET": "staff", "POST": "staff"},
    "staff-application": {"GET": "staff", "POST": "staff"},
}
