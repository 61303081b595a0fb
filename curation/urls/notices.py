"""Addresses of notices."""

from django.urls import URLPattern, path

from curation.views import notices

urlpatterns: list[URLPattern] = [
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.notices_read, name="notices-read"),
    path("notices/<int:pk>/open/", notices.notice_open, name="notice-open"),
    path("notices/<int:pk>/read/", notices.notice_read, name="notice-read"),
    path("notices/stop/<str:token>/", notices.notices_stop, name="notices-stop"),
]
