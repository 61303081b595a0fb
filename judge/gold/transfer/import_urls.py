"""Pages of imports."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.gold.transfer import import_views as views

page = Pages("staff/", menu="staff-tasks", GET="staff", POST="import")

urlpatterns = [
    page("imports/", views.staff_imports, "staff-imports", "GET", label=_("Imports")),
    page("imports/new/", views.staff_import_new, "staff-import-new", "GET POST",
         label=_("Import a file")),
    page("imports/<int:pk>/", views.staff_import, "staff-import", "GET", label="row.file_name",
         of="row"),
    page("imports/<int:pk>/columns/", views.staff_import_columns, "staff-import-columns",
         "GET POST", label=_("What the columns are")),
    page("imports/<int:pk>/encoding/", views.staff_import_encoding, "staff-import-encoding",
         "POST"),
    page("imports/<int:pk>/options/", views.staff_import_options, "staff-import-options", "POST"),
    page("imports/<int:pk>/check/", views.staff_import_check, "staff-import-check", "POST"),
    page("imports/<int:pk>/start/", views.staff_import_start, "staff-import-start", "POST"),
    page("imports/<int:pk>/discard/", views.staff_import_discard, "staff-import-discard", "POST"),
    page("imports/<int:pk>/progress/", views.staff_import_progress, "staff-import-progress", "GET"),
    page("kept-mappings/<int:pk>/remove/", views.kept_mapping_remove, "kept-mapping-remove",
         "POST"),
]  # fmt: skip
