"""Addresses of rubrics."""

from django.urls import path

from rubrics.api import OneTask, RubricFile
from rubrics.views import (
    copying,
    drafts,
    files,
    lines,
    marks,
    pages,
    rules,
    several,
    versions,
)

RUBRIC = "tasks/<int:pk>/rubric/"
LINE = RUBRIC + "lines/<int:line>/"

urlpatterns = [
    path(RUBRIC, pages.rubric, name="rubric"),
    path(RUBRIC + "draft/", drafts.draft, name="rubric-draft"),
    path(RUBRIC + "versions/", versions.versions, name="rubric-versions"),
    path(RUBRIC + "export/<slug:kind>/", files.export, name="rubric-export"),
    path(RUBRIC + "import/", files.import_file, name="rubric-import"),
    path(RUBRIC + "send/", pages.send, name="rubric-send"),
    path(RUBRIC + "lines/", lines.add, name="rubric-line-add"),
    path(RUBRIC + "copy/", copying.copy, name="rubric-copy"),
    path(RUBRIC + "lines/several/", several.several, name="rubric-lines-several"),
    path(LINE, lines.save, name="rubric-line"),
    path(LINE + "move/", lines.move, name="rubric-line-move"),
    path(LINE + "passage/", lines.passage, name="rubric-line-passage"),
    path(LINE + "reference/", lines.reference, name="rubric-line-reference"),
    path(LINE + "split/", lines.split, name="rubric-line-split"),
    path(LINE + "merge/", lines.merge, name="rubric-line-merge"),
    path(LINE + "remove/", lines.remove, name="rubric-line-remove"),
    path("staff/rubrics/rules/", rules.staff_rules, name="staff-rubric-rules"),
    path("staff/rubrics/rules/<slug:key>/", rules.staff_rule, name="staff-rubric-rule"),
    path(LINE + "mark/", marks.line_mark, name="rubric-line-mark"),
    path(RUBRIC + "mark/", marks.rubric_mark, name="rubric-mark"),
    path(RUBRIC + "opinion/", marks.ask_model, name="rubric-opinion"),
    path("staff/marks/", marks.staff_marks, name="staff-marks"),
    path(RUBRIC + "changes/<int:change>/undo/", lines.restore, name="rubric-line-restore"),
]

api_patterns = [
    path("tasks/<int:pk>/", OneTask.as_view(), name="api-task"),
    path("tasks/<int:pk>/rubric/", RubricFile.as_view(), name="api-rubric"),
]
