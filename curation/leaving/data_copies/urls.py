"""Pages of data copies."""

from curation.base.access.page import page
from curation.leaving.data_copies import views

urlpatterns = [
    page("account/data/", views.your_data, "your-data", GET="signed_in"),
    page("account/data/copy/", views.copy_own, "copy-own-data", GET="signed_in"),
    page(
        "staff/people/<int:pk>/copy/",
        views.staff_copy,
        "staff-copy-data",
        menu="staff-people",
        GET="staff",
        POST="staff.administration",
    ),
]
