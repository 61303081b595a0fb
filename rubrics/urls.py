"""Addresses of rubrics."""

from django.urls import path

from rubrics.api import OneTask
from rubrics.views import lines, pages

RUBRIC = "tasks/<int:pk>/rubric/"
LINE = RUBRIC + "lines/<int:line>/"

urlpatterns = [
    path("api/v1/tasks/<int:pk>/", OneTask.as_view(), name="api-task"),
    path(RUBRIC, pages.rubric, name="rubric"),
    path(RUBRIC + "draft/", pages.draft, name="rubric-draft"),
    path(RUBRIC + "versions/", pages.versions, name="rubric-versions"),
    path(RUBRIC + "send/", pages.send, name="rubric-send"),
    path(RUBRIC + "lines/", lines.add, name="rubric-line-add"),
    path(LINE, lines.save, name="rubric-line"),
    path(LINE + "move/", lines.move, name="rubric-line-move"),
    path(LINE + "split/", lines.split, name="rubric-line-split"),
    path(LINE + "merge/", lines.merge, name="rubric-line-merge"),
    path(LINE + "remove/", lines.remove, name="rubric-line-remove"),
    path(RUBRIC + "changes/<int:change>/undo/", lines.restore, name="rubric-line-restore"),
]
