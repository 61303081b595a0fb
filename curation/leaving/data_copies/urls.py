"""Pages of data copies."""

from curation.base.access.page import Pages, page
from curation.leaving.data_copies import views

data = Pages("account/data/", GET="signed_in")

urlpatterns = [
    data("", views.your_data, "your-data", "GET"),
    data("copy/", views.copy_own, "copy-own-data", "GET"),
    page(
        "staff/people/<int:pk>/copy/",
        views.staff_copy,
        "staff-copy-data",
        menu="staff-people",
        GET="staff",
        POST="staff.administration",
    ),
]
