"""Pages of profiles."""

from curation.base.access.page import Pages, page
from judge.methods.profiles import views

staff = Pages("staff/profiles/", menu="staff-runs", GET="staff", POST="staff.editing")

urlpatterns = [
    staff("", views.staff_profiles, "staff-profiles", "GET POST"),
    staff("<int:pk>/", views.staff_pool, "staff-pool", "GET"),
    staff("<int:pk>/import/", views.staff_pool_import, "staff-pool-import", "GET POST"),
    page(
        "tasks/<int:pk>/selection/",
        views.task_selection,
        "task-selection",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
]
