"""Pages of screening."""

from curation.base.access.page import Pages
from curation.screening.panels import panel_views
from curation.screening.panels import voting_views as views
from curation.screening.panels.rules import RULES

staff = Pages("staff/screening/", menu="staff-screening", GET="staff", POST="staff.editing")
screening = Pages("screening/", menu="screening", GET="signed_in", POST="signed_in")

urlpatterns = [
    screening("", views.screening, "screening", GET="expert"),
    screening("<int:pk>/", views.screening_vote, "screening-vote", "GET POST"),
    screening("<int:pk>/join/", views.screening_join, "screening-join", POST="expert"),
    screening("<int:pk>/skip/", views.screening_skip, "screening-skip", "GET POST"),
    staff("", panel_views.staff_screening, "staff-screening", "GET"),
    staff("<int:pk>/", panel_views.staff_panel, "staff-panel", "GET"),
    staff("<int:pk>/give/", panel_views.staff_panel_give, "staff-panel-give", "POST"),
    staff("<int:pk>/decide/", panel_views.staff_panel_decide, "staff-panel-decide", "POST"),
    staff(
        "places/<int:pk>/take-back/",
        panel_views.staff_place_take_back,
        "staff-place-take-back",
        "GET POST",
    ),
    staff("rules/", RULES.table, "staff-policies", "GET"),
    staff("rules/<key:key>/", RULES.rules, "staff-policy", "GET POST"),
]
