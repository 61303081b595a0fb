"""Pages of announcements."""

from curation.base.access.page import Pages
from curation.telling.guidelines import announcement_views as views

staff = Pages("staff/announcements/", menu="staff-pipeline", GET="staff", POST="staff.editing")
announcements = Pages("announcements/<int:pk>/", GET="signed_in", POST="signed_in")

urlpatterns = [
    announcements("", views.announcement, "announcement", "GET"),
    announcements("read/", views.announcement_read, "announcement-read", "POST"),
    staff("", views.staff_announcements, "staff-announcements", "GET"),
    staff("new/", views.staff_announcement_new, "staff-announcement-new", "GET POST"),
    staff("<int:pk>/", views.staff_announcement, "staff-announcement", "GET POST"),
    staff("<int:pk>/end/", views.staff_announcement_end, "staff-announcement-end", "POST"),
]
