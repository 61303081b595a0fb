"""Pages of background work."""

from curation.base.access.page import page
from judge.base.queue import views

urlpatterns = [
    page("staff/jobs/", views.staff_jobs, "staff-jobs", menu="staff-runs", GET="staff"),
    page(
        "staff/jobs/<int:pk>/again/", views.staff_job_again, "staff-job-again", POST="staff.scoring"
    ),
]
