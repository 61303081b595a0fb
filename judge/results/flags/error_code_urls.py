"""Pages of error codes, for staff alone: they name candidates whom others score blind."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.flags import error_code_views as views

page = Pages("staff/", menu="leaderboard", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("error-codes/", views.taxonomies, "error-code-domains", "GET", label=_("Error codes")),
    page("error-codes/all.jsonl", views.errors_jsonl, "coded-errors-jsonl", "GET"),
    page("error-codes/<key:key>/", views.taxonomy, "error-codes", "GET POST", label="domain"),
    page("error-codes/<key:key>/table.csv", views.report_csv, "failure-modes-csv", "GET"),
    page("error-code/<int:pk>/edit/", views.code_edit, "error-code-edit", "POST"),
    page("error-code/<int:pk>/state/", views.code_state, "error-code-state", "POST"),
    page("responses/<int:pk>/codes/", views.response_codes, "response-codes", "GET POST"),
    page("responses/<int:pk>/codes/ask/", views.codes_ask, "codes-ask", "POST"),
    page("coded-errors/<int:pk>/", views.error_decide, "coded-error-decide", "POST"),
]
