"""Pages of judge runs and calls."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.runs.pages import views

page = Pages("staff/", menu="staff-runs", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("runs/", views.staff_runs, "staff-runs", "GET", label=_("Judge runs"), short=_("Runs"),
         go="u", counts="runs"),
    page("runs/new/", views.staff_run_new, "staff-run-new", "GET POST", label=_("Plan a run")),
    page("runs/<int:pk>/", views.staff_run, "staff-run", "GET", label="run"),
    page("runs/<int:pk>/progress/", views.staff_run_progress, "staff-run-progress", "GET"),
    page("runs/<int:pk>/pause/", views.staff_run_pause, "staff-run-pause", "POST"),
    page("runs/<int:pk>/resume/", views.staff_run_resume, "staff-run-resume", "POST"),
    page("runs/<int:pk>/cancel/", views.staff_run_cancel, "staff-run-cancel", "POST"),
    page("runs/<int:pk>/twin/", views.staff_run_twin, "staff-run-twin", "POST"),
    page("calls/<int:pk>/", views.staff_call, "staff-call", "GET"),
]  # fmt: skip
