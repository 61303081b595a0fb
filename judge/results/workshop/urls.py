"""Pages of the workshop, for staff alone: they hold what judge and experts say of candidates."""

from curation.base.access.page import Pages
from judge.results.workshop import views

page = Pages("staff/workshop/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.workshop, "judge-workshop", "GET"),
    page("default/", views.default, "judge-default", "GET POST"),
    page("experiments/new/", views.experiment_new, "judge-experiment-new", "GET POST"),
    page("experiments/<int:pk>/", views.experiment, "judge-experiment", "GET"),
    page("experiments/<int:pk>/start/", views.start, "judge-experiment-start", "POST"),
    page("experiments/<int:pk>/changes.csv", views.changes_csv, "judge-experiment-csv", "GET"),
]
