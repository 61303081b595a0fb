"""Staff's pages of scorers."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.scoring.practice import drift_views as views

page = Pages("staff/scorers/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.scorers, "scorers", "GET", label=_("Scorers")),
    page("<key:key>/", views.domain, "scorers-domain", "GET", label="domain"),
    page("<key:key>/rules/", views.RULES.rules, "scorers-rules", "GET POST"),
    page("<key:key>/<int:pk>/", views.scorer, "domain-scorer", "GET POST"),
]
