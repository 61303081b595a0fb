"""Pages of data copies."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.leaving.data_copies import views

data = Pages("account/data/", GET="signed_in")

urlpatterns = [
    data("", views.your_data, "your-data", "GET", label=_("Your data"), up="preferences"),
    data("copy/", views.copy_own, "copy-own-data", "GET", alone="a file"),
    page("staff/people/<int:pk>/copy/", views.staff_copy, "staff-copy-data", menu="staff-people",
         GET="staff", POST="staff.administration", label=_("Copy the data"), up="staff-closing"),
]  # fmt: skip
