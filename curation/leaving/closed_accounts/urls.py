"""Pages of closed accounts."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.leaving.closed_accounts import views

staff = Pages(
    "staff/people/<int:pk>/closing/",
    menu="staff-people",
    GET="staff",
    POST="staff.administration",
)

urlpatterns = [
    page("account/close/", views.close_own, "close-account", GET="signed_in", POST="signed_in",
         label=_("Close your account"), up="preferences"),
    staff("", views.staff_closing, "staff-closing", "GET", label=_("Data and closing")),
    staff("close/", views.staff_close, "staff-close-account", "POST"),
    staff("open/", views.staff_open, "staff-open-account", "POST"),
    staff("remove-name/", views.staff_remove_name, "staff-remove-name", "POST"),
]  # fmt: skip
