"""Pages of error codes, for staff alone: they name candidates whom others score blind."""

from functools import partial

from curation.base.access.page import page
from judge.results.flags import error_code_views as views

_page = partial(page, menu="leaderboard")

urlpatterns = [
    _page("staff/error-codes/", views.taxonomies, "error-code-domains", GET="staff"),
    _page("staff/error-codes/all.jsonl", views.errors_jsonl, "coded-errors-jsonl", GET="staff"),
    _page(
        "staff/error-codes/<key:key>/",
        views.taxonomy,
        "error-codes",
        GET="staff",
        POST="staff.scoring",
    ),
    _page(
        "staff/error-codes/<key:key>/table.csv",
        views.report_csv,
        "failure-modes-csv",
        GET="staff",
    ),
    _page(
        "staff/error-code/<int:pk>/edit/", views.code_edit, "error-code-edit", POST="staff.scoring"
    ),
    _page(
        "staff/error-code/<int:pk>/state/",
        views.code_state,
        "error-code-state",
        POST="staff.scoring",
    ),
    _page(
        "staff/responses/<int:pk>/codes/",
        views.response_codes,
        "response-codes",
        GET="staff",
        POST="staff.scoring",
    ),
    _page(
        "staff/responses/<int:pk>/codes/ask/", views.codes_ask, "codes-ask", POST="staff.scoring"
    ),
    _page(
        "staff/coded-errors/<int:pk>/",
        views.error_decide,
        "coded-error-decide",
        POST="staff.scoring",
    ),
]
