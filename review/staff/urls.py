"""Addresses of staff's steps."""

from curation.base.access.page import page
from review.staff import views

urlpatterns = [
    page(
        "staff/tasks/<int:pk>/one-more-round/",
        views.one_more_round,
        "staff-one-more-round",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/tasks/<int:pk>/reopen/",
        views.reopen,
        "staff-task-reopen",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/tasks/<int:pk>/discard/",
        views.discard,
        "staff-task-discard",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/tasks/<int:pk>/take-back/",
        views.take_back,
        "staff-task-take-back",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/tasks/<int:pk>/spot-check/release/",
        views.release_spot_check,
        "staff-spot-check-release",
        GET="staff",
        POST="staff.editing",
    ),
    page(
        "staff/tasks/<int:pk>/reviewer/",
        views.assign,
        "staff-review-assign",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
]
