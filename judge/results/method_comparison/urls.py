"""Pages that compare methods of judging, for staff alone: they hold what experts say."""

from curation.base.access.page import page
from judge.results.method_comparison import views

urlpatterns = [
    page(
        "staff/methods/compare/", views.method_comparison, "method-comparison",
        menu="staff-runs", GET="staff",
    ),
    page(
        "staff/methods/compare.json", views.method_comparison_json, "method-comparison-json",
        menu="staff-runs", GET="staff",
    ),
]  # fmt: skip
