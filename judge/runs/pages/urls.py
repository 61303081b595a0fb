"""Pages of judge runs and calls."""

from curation.base.access.page import page
from judge.runs.pages import views

urlpatterns = [
    page("staff/runs/", views.staff_runs, "staff-runs", menu="staff-runs", GET="staff"),
    page(
        "staff/runs/new/",
        views.staff_run_new,
        "staff-run-new",
        menu="staff-runs",
        GET="staff",
        POST="staff.scoring",
    ),
    page("staff/runs/<int:pk>/", views.staff_run, "staff-run", menu="staff-runs", GET="staff"),
    page(
        "staff/runs/<int:pk>/progress/",
        views.staff_run_progress,
        "staff-run-progress",
        menu="staff-runs",
        GET="staff",
    ),
    page(
        "staff/runs/<int:pk>/pause/",
        views.staff_run_pause,
        "staff-run-pause",
        menu="staff-runs",
        POST="staff.scoring",
    ),
    page(
        "staff/runs/<int:pk>/resume/",
        views.staff_run_resume,
        "staff-run-resume",
        menu="staff-runs",
        POST="staff.scoring",
    ),
    page(
        "staff/runs/<int:pk>/cancel/",
        views.staff_run_cancel,
        "staff-run-cancel",
        menu="staff-runs",
        POST="staff.scoring",
    ),
    page(
        "staff/runs/<int:pk>/twin/",
        views.staff_run_twin,
        "staff-run-twin",
        menu="staff-runs",
        POST="staff.scoring",
    ),
    page("staff/calls/<int:pk>/", views.staff_call, "staff-call", menu="staff-runs", GET="staff"),
]
