"""Pages on how the questions of an exam do."""

from curation.base.access.page import Pages
from curation.qualifying.exams import item_views as views

page = Pages("staff/exams/<key:domain>/", menu="staff-people", GET="staff")

urlpatterns = [
    page("items/", views.staff_items, "staff-items", "GET"),
    page("items.csv", views.staff_items_csv, "staff-items-csv", "GET"),
]
