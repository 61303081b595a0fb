"""Pages of accounts."""

from curation.base.access.page import page
from curation.joining.accounts import views

urlpatterns = [
    page("account/sessions/", views.sessions, "sessions", GET="signed_in", POST="signed_in"),
    page(
        "staff/people/<int:pk>/account/",
        views.staff_account,
        "staff-account",
        menu="staff-people",
        GET="staff",
        POST="staff.administration",
    ),
]
