"""Pages of notices and preferences, each for the person's own."""

from curation.base.access.page import page
from curation.joining.notices import preference_views, views

urlpatterns = [
    page(
        "preferences/",
        preference_views.preferences,
        "preferences",
        GET="signed_in",
        POST="signed_in",
    ),
    page("notices/", views.notices, "notices", GET="signed_in"),
    page("notices/read/", views.notices_read, "notices-read", POST="signed_in"),
    page("notices/<int:pk>/open/", views.notice_open, "notice-open", POST="signed_in"),
    page("notices/<int:pk>/read/", views.notice_read, "notice-read", POST="signed_in"),
    page(
        "notices/stop/<str:token>/", views.notices_stop, "notices-stop", GET="open", POST="open"
    ),  # the signed link is the permission
]
