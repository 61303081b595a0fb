"""Pages of screening."""

from curation.base.access.page import page
from curation.screening.panels import panel_views
from curation.screening.panels import voting_views as views

urlpatterns = [
    page("screening/", views.screening, "screening", menu="screening", GET="expert"),
    page(
        "screening/<int:pk>/",
        views.screening_vote,
        "screening-vote",
        menu="screening",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "screening/<int:pk>/join/",
        views.screening_join,
        "screening-join",
        menu="screening",
        POST="expert",
    ),
    page(
        "screening/<int:pk>/skip/",
        views.screening_skip,
        "screening-skip",
        menu="screening",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "staff/screening/",
        panel_views.staff_screening,
        "staff-screening",
        menu="staff-screening",
        GET="staff",
    ),
    page(
        "staff/screening/<int:pk>/",
        panel_views.staff_panel,
        "staff-panel",
        menu="staff-screening",
        GET="staff",
    ),
    page(
        "staff/screening/<int:pk>/give/",
        panel_views.staff_panel_give,
        "staff-panel-give",
        menu="staff-screening",
        POST="staff.editing",
    ),
    page(
        "staff/screening/<int:pk>/decide/",
        panel_views.staff_panel_decide,
        "staff-panel-decide",
        menu="staff-screening",
        POST="staff.editing",
    ),
    page(
        "staff/screening/places/<int:pk>/take-back/",
        panel_views.staff_place_take_back,
        "staff-place-take-back",
        menu="staff-screening",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/screening/rules/",
        panel_views.staff_policies,
        "staff-policies",
        menu="staff-screening",
        GET="staff",
    ),
    page(
        "staff/screening/rules/<key:key>/",
        panel_views.staff_policy,
        "staff-policy",
        menu="staff-screening",
        GET="staff",
        POST="staff.editing",
    ),
]
