"""The page of the programme in numbers."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from rubrics.composition import views

page = Pages("staff/numbers/", menu="staff-people", GET="staff")

urlpatterns = [
    page("", views.composition, "composition", "GET", label=_("The programme in numbers"),
         short=_("In numbers"), tab="staff-people"),
    page("table.csv", views.composition_csv, "composition-csv", "GET"),
]  # fmt: skip
