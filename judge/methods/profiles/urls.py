"""Pages of profiles."""

from curation.base.access.page import page
from judge.methods.profiles import views

urlpatterns = [
    page(
        "staff/profiles/", views.staff_profiles, "staff-profiles",
        menu="staff-runs", GET="staff", POST="staff.editing",
    ),
    page(
        "staff/profiles/<int:pk>/", views.staff_pool, "staff-pool",
        menu="staff-runs", GET="staff",
    ),
    page(
        "staff/profiles/<int:pk>/import/", views.staff_pool_import, "staff-pool-import",
        menu="staff-runs", GET="staff", POST="staff.editing",
    ),
    page(
        "tasks/<int:pk>/selection/", views.task_selection, "task-selection",
        menu="tasks", GET="signed_in", POST="signed_in",
    ),
]  # fmt: skip
