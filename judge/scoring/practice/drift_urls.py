"""Staff's pages of scorers."""

from curation.base.access.page import Pages
from judge.scoring.practice import drift_views as views

page = Pages("staff/scorers/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.scorers, "scorers", "GET"),
    page("<key:key>/", views.domain, "scorers-domain", "GET"),
    page("<key:key>/rules/", views.RULES.rules, "scorers-rules", "GET POST"),
    page("<key:key>/<int:pk>/", views.scorer, "domain-scorer", "GET POST"),
]
