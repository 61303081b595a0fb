"""Pages of authoring."""

from curation.base.access.page import page
from curation.tasks.authoring import api, files_api, version_views, views

urlpatterns = [
    page("tasks/", views.tasks, "tasks", menu="tasks", GET="signed_in"),
    page("tasks/new/", views.task_new, "task-new", menu="tasks", GET="expert", POST="expert"),
    page("tasks/<int:pk>/", views.task, "task", menu="tasks", GET="signed_in"),
    page(
        "tasks/<int:pk>/edit/",
        views.task_edit,
        "task-edit",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
    page("tasks/<int:pk>/save/", views.task_save, "task-save", menu="tasks", POST="signed_in"),
    page(
        "tasks/<int:pk>/preview/",
        views.task_preview,
        "task-preview",
        menu="tasks",
        POST="signed_in",
    ),
    page(
        "tasks/<int:pk>/submit/", views.task_submit, "task-submit", menu="tasks", POST="signed_in"
    ),
    page(
        "tasks/<int:pk>/withdraw/",
        views.task_withdraw,
        "task-withdraw",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "tasks/<int:pk>/versions/",
        version_views.task_versions,
        "task-versions",
        menu="tasks",
        GET="signed_in",
    ),
    page(
        "tasks/<int:pk>/versions/<int:number>/",
        version_views.task_version,
        "task-version",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
]

api_patterns = [
    page("tasks/", api.Tasks.as_view(), "api-tasks", GET="signed_in", POST="expert"),
    page(
        "tasks/<int:pk>/files/",
        files_api.TaskFiles.as_view(),
        "api-task-files",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "tasks/<int:pk>/files/<int:file>/",
        files_api.TaskFile.as_view(),
        "api-task-file",
        GET="signed_in",
        DELETE="signed_in",
    ),
    page("tasks/<int:pk>/submit/", api.SubmitTask.as_view(), "api-task-submit", POST="signed_in"),
]
