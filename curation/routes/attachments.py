"""Rows of files: route name -> verb -> permission. A file asks its thing (`curation.holders`)."""

ROUTES: dict[str, dict[str, str]] = {
    "attachment": {"GET": "signed_in"},
    "attachment-add": {"POST": "signed_in"},
    "attachment-remove": {"POST": "signed_in"},
    "attachment-restore": {"POST": "signed_in"},
}
