"""Addresses of the panel."""

from django.urls import URLPattern, path

from curation.views import panels, reference_checks, screening

urlpatterns: list[URLPattern] = [
    path("screening/", screening.screening, name="screening"),
    path("screening/<int:pk>/", screening.screening_vote, name="screening-vote"),
    path("screening/<int:pk>/join/", screening.screening_join, name="screening-join"),
    path("screening/<int:pk>/skip/", screening.screening_skip, name="screening-skip"),
    path("screening/<int:pk>/check/", reference_checks.reference_check, name="reference-check"),
    path(
        "screening/<int:pk>/check/save/",
        reference_checks.reference_check_save,
        name="reference-check-save",
    ),
    path(
        "screening/<int:pk>/check/decide/",
        reference_checks.reference_check_decide,
        name="reference-check-decide",
    ),
    path("staff/screening/", panels.staff_screening, name="staff-screening"),
    path("staff/screening/<int:pk>/", panels.staff_panel, name="staff-panel"),
    path("staff/screening/<int:pk>/give/", panels.staff_panel_give, name="staff-panel-give"),
    path("staff/screening/<int:pk>/decide/", panels.staff_panel_decide, name="staff-panel-decide"),
    path(
        "staff/screening/places/<int:pk>/take-back/",
        panels.staff_place_take_back,
        name="staff-place-take-back",
    ),
    path("staff/screening/rules/", panels.staff_policies, name="staff-policies"),
    path("staff/screening/rules/<slug:key>/", panels.staff_policy, name="staff-policy"),
]
