"""Pages of imports."""

from functools import partial

from curation.base.access.page import page
from judge.gold.transfer import import_views as views

_page = partial(page, menu="staff-tasks")

urlpatterns = [
    _page("staff/imports/", views.staff_imports, "staff-imports", GET="staff"),
    _page(
        "staff/imports/new/", views.staff_import_new, "staff-import-new", GET="staff", POST="import"
    ),
    _page("staff/imports/<int:pk>/", views.staff_import, "staff-import", GET="staff"),
    _page(
        "staff/imports/<int:pk>/columns/",
        views.staff_import_columns,
        "staff-import-columns",
        GET="staff",
        POST="import",
    ),
    _page(
        "staff/imports/<int:pk>/encoding/",
        views.staff_import_encoding,
        "staff-import-encoding",
        POST="import",
    ),
    _page(
        "staff/imports/<int:pk>/options/",
        views.staff_import_options,
        "staff-import-options",
        POST="import",
    ),
    _page(
        "staff/imports/<int:pk>/check/",
        views.staff_import_check,
        "staff-import-check",
        POST="import",
    ),
    _page(
        "staff/imports/<int:pk>/start/",
        views.staff_import_start,
        "staff-import-start",
        POST="import",
    ),
    _page(
        "staff/imports/<int:pk>/discard/",
        views.staff_import_discard,
        "staff-import-discard",
        POST="import",
    ),
    _page(
        "staff/imports/<int:pk>/progress/",
        views.staff_import_progress,
        "staff-import-progress",
        GET="staff",
    ),
    _page(
        "staff/kept-mappings/<int:pk>/remove/",
        views.kept_mapping_remove,
        "kept-mapping-remove",
        POST="import",
    ),
]
