"""Addresses of rubric files."""

from curation.base.access.page import page
from rubrics.files import api, views

urlpatterns = [
    page(
        "tasks/<int:pk>/rubric/export/<slug:kind>/",
        views.export,
        "rubric-export",
        menu="tasks",
        GET="signed_in",
    ),
    page(
        "tasks/<int:pk>/rubric/import/",
        views.import_file,
        "rubric-import",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
]

api_patterns = [
    page("tasks/<int:pk>/", api.OneTask.as_view(), "api-task", GET="signed_in", PATCH="signed_in"),
    page(
        "tasks/<int:pk>/rubric/",
        api.RubricFile.as_view(),
        "api-rubric",
        GET="signed_in",
        POST="signed_in",
    ),
]
