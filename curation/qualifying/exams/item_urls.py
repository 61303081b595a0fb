"""Pages on how the questions of an exam do."""

from curation.base.access.page import page
from curation.qualifying.exams import item_views as views

urlpatterns = [
    page(
        "staff/exams/<key:domain>/items/",
        views.staff_items,
        "staff-items",
        menu="staff-people",
        GET="staff",
    ),
    page(
        "staff/exams/<key:domain>/items.csv",
        views.staff_items_csv,
        "staff-items-csv",
        menu="staff-people",
        GET="staff",
    ),
]
