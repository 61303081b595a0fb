"""Pages of announcements."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.telling.guidelines import announcement_views as views

staff = Pages("staff/announcements/", menu="staff-pipeline", GET="staff", POST="staff.editing")
announcements = Pages("announcements/<int:pk>/", GET="signed_in", POST="signed_in")

urlpatterns = [
    announcements("", views.announcement, "announcement", "GET", label="words.title", up="home"),
    announcements("read/", views.announcement_read, "announcement-read", "POST"),
    staff("", views.staff_announcements, "staff-announcements", "GET", label=_("Announcements"),
          tab="staff-pipeline"),
    staff("new/", views.staff_announcement_new, "staff-announcement-new", "GET POST",
          label=_("Announce something")),
    staff("<int:pk>/", views.staff_announcement, "staff-announcement", "GET POST",
          label="words.title"),
    staff("<int:pk>/end/", views.staff_announcement_end, "staff-announcement-end", "POST"),
]  # fmt: skip
