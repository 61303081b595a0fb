"""Pages of re-verification."""

from curation.base.access.page import page
from curation.tasks.business import reverification_views as views

urlpatterns = [
    page(
        "reverifications/",
        views.reverifications,
        "reverifications",
        menu="screening",
        GET="signed_in",
    ),
    page(
        "reverifications/<int:pk>/",
        views.reverification,
        "reverification",
        menu="screening",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "reverifications/<int:pk>/take/",
        views.reverification_take,
        "reverification-take",
        POST="signed_in",
    ),
    page(
        "reverifications/<int:pk>/hand-back/",
        views.reverification_hand_back,
        "reverification-hand-back",
        POST="signed_in",
    ),
    page(
        "reverifications/<int:pk>/cancel/",
        views.reverification_cancel,
        "reverification-cancel",
        menu="screening",
        POST="signed_in",
    ),
    page(
        "staff/tasks/<int:pk>/reverify/",
        views.task_reverify,
        "task-reverify",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
]
