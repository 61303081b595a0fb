"""Addresses of the workbench."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from rubrics.workbench import bulk_views, line_views, mark_views, page_views, reference_views

rubric = Pages("tasks/<int:pk>/rubric/", menu="tasks", GET="signed_in", POST="signed_in")

urlpatterns = [
    rubric("", page_views.rubric, "rubric", "GET", label="task.title", up="tasks"),
    rubric("send/", page_views.send, "rubric-send", "POST"),
    rubric("lines/", line_views.add, "rubric-line-add", "POST"),
    rubric("reference/", reference_views.reference, "rubric-reference", "GET",
           label=_("Mark the reference answer")),
    rubric("copy/", bulk_views.copy, "rubric-copy", "GET POST",
           label=_("Copy lines from another rubric")),
    rubric("lines/several/", bulk_views.several, "rubric-lines-several", "POST"),
    rubric("lines/<int:line>/", line_views.save, "rubric-line", "POST"),
    rubric("lines/<int:line>/move/", line_views.move, "rubric-line-move", "POST"),
    rubric("lines/<int:line>/passage/", line_views.passage, "rubric-line-passage", "POST"),
    rubric("lines/<int:line>/reference/", reference_views.mark, "rubric-line-reference", "POST"),
    rubric("lines/<int:line>/split/", line_views.split, "rubric-line-split", "POST"),
    rubric("lines/<int:line>/merge/", line_views.merge, "rubric-line-merge", "POST"),
    rubric("lines/<int:line>/remove/", line_views.remove, "rubric-line-remove", "POST"),
    rubric("lines/<int:line>/mark/", mark_views.line_mark, "rubric-line-mark", "POST"),
    rubric("mark/", mark_views.rubric_mark, "rubric-mark", "GET POST"),
    rubric("opinion/", mark_views.ask_model, "rubric-opinion", "GET POST"),
    page("staff/marks/", mark_views.staff_marks, "staff-marks", menu="staff-tasks", GET="staff",
         label=_("Marks of the linter")),
    rubric("changes/<int:change>/undo/", line_views.restore, "rubric-line-restore", "POST"),
]  # fmt: skip
