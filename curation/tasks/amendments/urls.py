"""Pages of amendments."""

from curation.base.access.page import page
from curation.tasks.amendments import views

urlpatterns = [
    page(
        "tasks/<int:pk>/amend/",
        views.amend,
        "task-amend",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
    page("amendments/", views.amendments, "amendments", GET="senior_or_staff"),
    page(
        "amendments/<int:pk>/",
        views.amendment,
        "amendment",
        GET="signed_in",
        POST="senior",
    ),
    page("amendments/<int:pk>/withdraw/", views.withdraw, "amendment-withdraw", POST="signed_in"),
]
