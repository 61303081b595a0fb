"""Pages of background work."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.base.queue import views

page = Pages("staff/jobs/", menu="staff-runs", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.staff_jobs, "staff-jobs", "GET", label=_("Jobs")),
    page("<int:pk>/again/", views.staff_job_again, "staff-job-again", "POST"),
]
