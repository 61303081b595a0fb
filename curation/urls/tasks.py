"""Addresses of tasks."""

from django.urls import URLPattern, path

from curation import api
from curation.urls import screening
from curation.views import likeness, preferences, staff, story, tasks, texts

urlpatterns: list[URLPattern] = [
    path("tasks/", tasks.tasks, name="tasks"),
    path("tasks/new/", tasks.task_new, name="task-new"),
    path("tasks/<int:pk>/", tasks.task, name="task"),
    path("tasks/<int:pk>/edit/", tasks.task_edit, name="task-edit"),
    path("tasks/<int:pk>/save/", tasks.task_save, name="task-save"),
    path("tasks/<int:pk>/preview/", tasks.task_preview, name="task-preview"),
    path("tasks/<int:pk>/submit/", tasks.task_submit, name="task-submit"),
    path("tasks/<int:pk>/withdraw/", tasks.task_withdraw, name="task-withdraw"),
    path("tasks/<int:pk>/story/", story.task_story, name="task-story"),
    path("tasks/<int:pk>/versions/", texts.task_versions, name="task-versions"),
    path("tasks/<int:pk>/versions/<int:number>/", texts.task_version, name="task-version"),
    *screening.urlpatterns,
    path("staff/pipeline/", staff.staff_pipeline, name="staff-pipeline"),
    path("staff/tasks/", staff.staff_tasks, name="staff-tasks"),
    path("staff/tasks/<int:pk>/", staff.staff_task, name="staff-task"),
    path("staff/tasks/<int:pk>/alike/", likeness.staff_task_alike, name="staff-task-alike"),
    path("staff/audit/", staff.staff_audit, name="staff-audit"),
    path("preferences/", preferences.preferences, name="preferences"),
]

api_patterns = [
    path("tasks/", api.Tasks.as_view(), name="api-tasks"),
    path("tasks/<int:pk>/submit/", api.SubmitTask.as_view(), name="api-task-submit"),
]
