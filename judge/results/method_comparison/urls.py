"""Pages that compare methods of judging, for staff alone: they hold what experts say."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.method_comparison import views

page = Pages("staff/methods/", menu="staff-runs", GET="staff")

urlpatterns = [
    page("compare/", views.method_comparison, "method-comparison", "GET",
         label=_("Methods compared")),
    page("compare.json", views.method_comparison_json, "method-comparison-json", "GET"),
]  # fmt: skip
