"""Pages of a rubric that passes to another expert."""

from curation.base.access.page import Pages, page
from rubrics.handover import views

help = Pages("tasks/<int:pk>/rubric/help/", menu="tasks", GET="signed_in", POST="signed_in")

urlpatterns = [
    help("", views.ask, "rubric-help", "GET POST"),
    help("withdraw/", views.withdraw, "rubric-help-withdraw", "POST"),
    page(
        "staff/tasks/<int:pk>/rubric-author/",
        views.hand_over,
        "staff-rubric-author",
        menu="staff-tasks",
        GET="staff",
        POST="staff.editing",
    ),
]
