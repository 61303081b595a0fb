"""Pages of experts' profiles and certificates."""

from curation.base.access.page import Pages
from curation.qualifying.applications import profile_views as views

page = Pages("staff/", menu="staff-people", GET="staff", POST="staff.recruiting")

urlpatterns = [
    page("people/<int:pk>/profile/", views.staff_profile, "staff-profile", "GET POST"),
    page("certificates/<int:pk>/check/", views.staff_certificate_check, "staff-certificate-check",
         "POST"),
]  # fmt: skip
