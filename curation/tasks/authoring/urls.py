"""Pages of authoring."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.tasks.authoring import api, files_api, version_views, views

tasks = Pages("tasks/", menu="tasks", GET="signed_in", POST="signed_in")
rest = Pages("tasks/", GET="signed_in", POST="signed_in")

urlpatterns = [
    tasks("", views.tasks, "tasks", "GET", label=_("My tasks"), go="t"),
    tasks("new/", views.task_new, "task-new", GET="expert", POST="expert", label=_("New task")),
    tasks("<int:pk>/", views.task, "task", "GET", label="task"),
    tasks("<int:pk>/edit/", views.task_edit, "task-edit", "GET POST", label="task", up="tasks"),
    tasks("<int:pk>/save/", views.task_save, "task-save", "POST"),
    tasks("<int:pk>/preview/", views.task_preview, "task-preview", "POST"),
    tasks("<int:pk>/submit/", views.task_submit, "task-submit", "POST"),
    tasks("<int:pk>/withdraw/", views.task_withdraw, "task-withdraw", "GET POST",
          label=_("Withdraw")),
    tasks("<int:pk>/versions/", version_views.task_versions, "task-versions", "GET",
          label=_("Earlier texts")),
    tasks("<int:pk>/versions/<int:number>/", version_views.task_version, "task-version",
          "GET POST"),
]  # fmt: skip

api_patterns = [
    rest("", api.Tasks.as_view(), "api-tasks", "GET", POST="expert"),
    rest("<int:pk>/files/", files_api.TaskFiles.as_view(), "api-task-files", "GET POST"),
    rest("<int:pk>/files/<int:file>/", files_api.TaskFile.as_view(), "api-task-file", "GET",
         DELETE="signed_in"),
    rest("<int:pk>/submit/", api.SubmitTask.as_view(), "api-task-submit", "POST"),
]  # fmt: skip
