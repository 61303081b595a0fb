"""The page of the programme in numbers."""

from curation.base.access.page import page
from rubrics.composition import views

urlpatterns = [
    page("staff/numbers/", views.composition, "composition", menu="staff-people", GET="staff"),
    page(
        "staff/numbers/table.csv",
        views.composition_csv,
        "composition-csv",
        menu="staff-people",
        GET="staff",
    ),
]
