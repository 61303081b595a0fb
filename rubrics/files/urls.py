"""Addresses of rubric files."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from rubrics.files import api, views

rubric = Pages("tasks/<int:pk>/rubric/", menu="tasks", GET="signed_in", POST="signed_in")
rest = Pages("tasks/<int:pk>/", GET="signed_in", POST="signed_in", PATCH="signed_in")

urlpatterns = [
    rubric("export/<slug:kind>/", views.export, "rubric-export", "GET"),
    rubric("import/", views.import_file, "rubric-import", "GET POST",
           label=_("Import a file into your rubric")),
]  # fmt: skip

api_patterns = [
    rest("", api.OneTask.as_view(), "api-task", "GET PATCH"),
    rest("rubric/", api.RubricFile.as_view(), "api-rubric", "GET POST"),
]
