"""Pages that edit a work map, and its files."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.tasks.work_map import views

page = Pages("staff/", menu="work-maps", GET="staff", POST="staff.editing")

urlpatterns = [
    page("work-map/<key:key>/new/", views.work_type_new, "work-type-new", "GET POST"),
    page("work-map/<key:key>/facts/", views.work_map_facts, "work-map-facts", "GET POST",
         label=_("Facts of the domain")),
    page("work-map/<key:key>/table.csv", views.work_map_csv, "work-map-csv", "GET"),
    page("work-map/<key:key>/table.xlsx", views.work_map_xlsx, "work-map-xlsx", "GET"),
    page("work-types/<int:pk>/", views.work_type_edit, "work-type", "GET POST", up="work-map"),
    page("work-types/<int:pk>/move/", views.work_type_move, "work-type-move", "POST"),
    page("work-types/<int:pk>/retire/", views.work_type_retire, "work-type-retire", "POST"),
]  # fmt: skip
