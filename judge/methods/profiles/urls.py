"""Pages of profiles."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from judge.methods.profiles import views

staff = Pages("staff/profiles/", menu="staff-runs", GET="staff", POST="staff.editing")

urlpatterns = [
    staff("", views.staff_profiles, "staff-profiles", "GET POST", label=_("Profiles"),
          up="staff-methods"),
    staff("<int:pk>/", views.staff_pool, "staff-pool", "GET", label="pool.name"),
    staff("<int:pk>/import/", views.staff_pool_import, "staff-pool-import", "GET POST",
          label=_("Import profiles")),
    page("tasks/<int:pk>/selection/", views.task_selection, "task-selection", menu="tasks",
         GET="signed_in", POST="signed_in", label=_("What this task chooses from")),
]  # fmt: skip
