"""Addresses of the drafts."""

from django.urls import URLPattern, path

from judge.views import drafts, survival

urlpatterns: list[URLPattern] = [
    path("tasks/<int:pk>/rubric/drafts/", drafts.drafts, name="rubric-drafts"),
    path(
        "tasks/<int:pk>/rubric/drafts/progress/",
        drafts.drafts_progress,
        name="rubric-drafts-progress",
    ),
    path("staff/drafts/", survival.staff_drafts, name="staff-drafts"),
    path("staff/drafts.csv", survival.staff_drafts_csv, name="staff-drafts-csv"),
]
