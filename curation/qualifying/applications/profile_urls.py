"""Pages of experts' profiles and certificates."""

from curation.base.access.page import page
from curation.qualifying.applications import profile_views as views

urlpatterns = [
    page(
        "staff/people/<int:pk>/profile/",
        views.staff_profile,
        "staff-profile",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
    page(
        "staff/certificates/<int:pk>/check/",
        views.staff_certificate_check,
        "staff-certificate-check",
        menu="staff-people",
        POST="staff.recruiting",
    ),
]
