"""Pages of re-verification."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.tasks.business import reverification_views as views

reverifications = Pages("reverifications/", menu="screening", GET="signed_in", POST="signed_in")

urlpatterns = [
    reverifications("", views.reverifications, "reverifications", "GET",
                    label=_("Re-verification")),
    reverifications("<int:pk>/", views.reverification, "reverification", "GET POST", label="task"),
    reverifications("<int:pk>/take/", views.reverification_take, "reverification-take", "POST"),
    reverifications("<int:pk>/hand-back/", views.reverification_hand_back,
                    "reverification-hand-back", "POST"),
    reverifications("<int:pk>/cancel/", views.reverification_cancel, "reverification-cancel",
                    "POST"),
    page("staff/tasks/<int:pk>/reverify/", views.task_reverify, "task-reverify", menu="staff-tasks",
         GET="staff", POST="staff.editing", label=_("Verify again")),
]  # fmt: skip
