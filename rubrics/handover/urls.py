"""Pages of a rubric that passes to another expert."""

from curation.base.access.page import page
from rubrics.handover import views

urlpatterns = [
    page(
        "tasks/<int:pk>/rubric/help/",
        views.ask,
        "rubric-help",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "tasks/<int:pk>/rubric/help/withdraw/",
        views.withdraw,
        "rubric-help-withdraw",
        menu="tasks",
        POST="signed_in",
    ),
    page(
        "staff/tasks/<int:pk>/rubric-author/",
        views.hand_over,
        "staff-rubric-author",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
]
