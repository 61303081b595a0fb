"""Pages of notices and preferences, each for the person's own."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.joining.notices import views

page = Pages(GET="signed_in", POST="signed_in")

urlpatterns = [
    page("preferences/", views.preferences, "preferences", "GET POST",
         label=_("Preferences"), alone="in the menu of the account"),
    page("notices/", views.notices, "notices", "GET", label=_("Notices"), go="n",
         alone="behind the bell"),
    page("notices/read/", views.notices_read, "notices-read", "POST"),
    page("notices/<int:pk>/open/", views.notice_open, "notice-open", "POST"),
    page("notices/<int:pk>/read/", views.notice_read, "notice-read", "POST"),
    # the signed link is the permission
    page("notices/stop/<str:token>/", views.notices_stop, "notices-stop", GET="open", POST="open",
         alone="a link of a mail"),
]  # fmt: skip
