"""Pages that edit a work map, and its files."""

from curation.base.access.page import page
from curation.tasks.work_map import views

urlpatterns = [
    page(
        "staff/work-map/<key:key>/new/",
        views.work_type_new,
        "work-type-new",
        menu="work-maps",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/work-map/<key:key>/facts/",
        views.work_map_facts,
        "work-map-facts",
        menu="work-maps",
        GET="staff",
        POST="staff.editing",
    ),
    page("staff/work-map/<key:key>/table.csv", views.work_map_csv, "work-map-csv", GET="staff"),
    page("staff/work-map/<key:key>/table.xlsx", views.work_map_xlsx, "work-map-xlsx", GET="staff"),
    page(
        "staff/work-types/<int:pk>/",
        views.work_type_edit,
        "work-type",
        menu="work-maps",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/work-types/<int:pk>/move/",
        views.work_type_move,
        "work-type-move",
        POST="staff.editing",
    ),
    page(
        "staff/work-types/<int:pk>/retire/",
        views.work_type_retire,
        "work-type-retire",
        menu="work-maps",
        POST="staff.editing",
    ),
]
