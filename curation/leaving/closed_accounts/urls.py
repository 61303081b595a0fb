"""Pages of closed accounts."""

from curation.base.access.page import page
from curation.leaving.closed_accounts import views

urlpatterns = [
    page("account/close/", views.close_own, "close-account", GET="signed_in", POST="signed_in"),
    page(
        "staff/people/<int:pk>/closing/",
        views.staff_closing,
        "staff-closing",
        menu="staff-people",
        GET="staff",
    ),
    *(
        page(
            f"staff/people/<int:pk>/closing/{step}/",
            view,
            name,
            menu="staff-people",
            POST="staff.administration",
        )
        for step, view, name in (
            ("close", views.staff_close, "staff-close-account"),
            ("open", views.staff_open, "staff-open-account"),
            ("remove-name", views.staff_remove_name, "staff-remove-name"),
        )
    ),
]
