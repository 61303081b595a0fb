"""Addresses of staff's steps."""

from curation.base.access.page import Pages
from review.staff import views

page = Pages("staff/tasks/<int:pk>/", menu="staff-tasks", GET="staff", POST="staff.editing")

urlpatterns = [
    page("one-more-round/", views.one_more_round, "staff-one-more-round", "GET POST"),
    page("reopen/", views.reopen, "staff-task-reopen", "GET POST", label="task.title"),
    page("discard/", views.discard, "staff-task-discard", "GET POST", label="task.title"),
    page("take-back/", views.take_back, "staff-task-take-back", "GET POST", label="task.title"),
    page("spot-check/release/", views.release_spot_check, "staff-spot-check-release", "GET POST",
         label="task.title"),
    page("reviewer/", views.assign, "staff-review-assign", "GET POST", label="task.title"),
]  # fmt: skip
