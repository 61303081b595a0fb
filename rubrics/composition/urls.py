"""The page of the programme in numbers."""

from curation.base.access.page import Pages
from rubrics.composition import views

page = Pages("staff/numbers/", menu="staff-people", GET="staff")

urlpatterns = [
    page("", views.composition, "composition", "GET"),
    page("table.csv", views.composition_csv, "composition-csv", "GET"),
]
