"""Pages of a rubric that passes to another expert."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from rubrics.handover import views

help = Pages("tasks/<int:pk>/rubric/help/", menu="tasks", GET="signed_in", POST="signed_in")

urlpatterns = [
    help("", views.ask, "rubric-help", "GET POST", label=_("Help with the rubric")),
    help("withdraw/", views.withdraw, "rubric-help-withdraw", "POST"),
    page("staff/tasks/<int:pk>/rubric-author/", views.hand_over, "staff-rubric-author",
         menu="staff-tasks", GET="staff", POST="staff.editing", label=_("Hand the rubric over")),
]  # fmt: skip
