"""Pages of the workshop, for staff alone: they hold what judge and experts say of candidates."""

from curation.base.access.page import page
from judge.results.workshop import views

urlpatterns = [
    page("staff/workshop/", views.workshop, "judge-workshop", menu="alignment", GET="staff"),
    page(
        "staff/workshop/default/", views.default, "judge-default", menu="alignment",
        GET="staff", POST="staff.scoring",
    ),
    page(
        "staff/workshop/experiments/new/", views.experiment_new, "judge-experiment-new",
        menu="alignment", GET="staff", POST="staff.scoring",
    ),
    page(
        "staff/workshop/experiments/<int:pk>/", views.experiment, "judge-experiment",
        menu="alignment", GET="staff",
    ),
    page(
        "staff/workshop/experiments/<int:pk>/start/", views.start, "judge-experiment-start",
        menu="alignment", POST="staff.scoring",
    ),
    page(
        "staff/workshop/experiments/<int:pk>/changes.csv", views.changes_csv,
        "judge-experiment-csv", menu="alignment", GET="staff",
    ),
]  # fmt: skip
