"""Pages of screening."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.screening.panels import panel_views
from curation.screening.panels import voting_views as views
from curation.screening.panels.rules import RULES

staff = Pages("staff/screening/", menu="staff-screening", GET="staff", POST="staff.editing")
screening = Pages("screening/", menu="screening", GET="signed_in", POST="signed_in")

urlpatterns = [
    screening("", views.screening, "screening", GET="expert", label=_("Screening"), go="s",
              counts="screening"),
    screening("<int:pk>/", views.screening_vote, "screening-vote", "GET POST", label="task.title"),
    screening("<int:pk>/join/", views.screening_join, "screening-join", POST="expert"),
    screening("<int:pk>/skip/", views.screening_skip, "screening-skip", "GET POST", label="task",
              up="screening"),
    staff("", panel_views.staff_screening, "staff-screening", "GET", label=_("Panels"), go="v"),
    staff("<int:pk>/", panel_views.staff_panel, "staff-panel", "GET", label="task"),
    staff("<int:pk>/give/", panel_views.staff_panel_give, "staff-panel-give", "POST"),
    staff("<int:pk>/decide/", panel_views.staff_panel_decide, "staff-panel-decide", "POST"),
    staff("places/<int:pk>/take-back/", panel_views.staff_place_take_back, "staff-place-take-back",
          "GET POST", label=_("Take a place back"), up="staff-panel"),
    staff("rules/", RULES.table, "staff-policies", "GET", label=_("Rules of the panels")),
    staff("rules/<key:key>/", RULES.rules, "staff-policy", "GET POST"),
]  # fmt: skip
