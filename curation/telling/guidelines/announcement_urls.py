"""Pages of announcements."""

from functools import partial

from curation.base.access.page import page
from curation.telling.guidelines import announcement_views as views

_staff = partial(page, menu="staff-pipeline")

urlpatterns = [
    page("announcements/<int:pk>/", views.announcement, "announcement", GET="signed_in"),
    page(
        "announcements/<int:pk>/read/",
        views.announcement_read,
        "announcement-read",
        POST="signed_in",
    ),
    _staff("staff/announcements/", views.staff_announcements, "staff-announcements", GET="staff"),
    _staff(
        "staff/announcements/new/",
        views.staff_announcement_new,
        "staff-announcement-new",
        GET="staff",
        POST="staff.editing",
    ),
    _staff(
        "staff/announcements/<int:pk>/",
        views.staff_announcement,
        "staff-announcement",
        GET="staff",
        POST="staff.editing",
    ),
    _staff(
        "staff/announcements/<int:pk>/end/",
        views.staff_announcement_end,
        "staff-announcement-end",
        POST="staff.editing",
    ),
]
