"""Pages of closed accounts."""

from curation.base.access.page import Pages, page
from curation.leaving.closed_accounts import views

staff = Pages(
    "staff/people/<int:pk>/closing/",
    menu="staff-people",
    GET="staff",
    POST="staff.administration",
)

urlpatterns = [
    page("account/close/", views.close_own, "close-account", GET="signed_in", POST="signed_in"),
    staff("", views.staff_closing, "staff-closing", "GET"),
    staff("close/", views.staff_close, "staff-close-account", "POST"),
    staff("open/", views.staff_open, "staff-open-account", "POST"),
    staff("remove-name/", views.staff_remove_name, "staff-remove-name", "POST"),
]
