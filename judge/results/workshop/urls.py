"""Pages of the workshop, for staff alone: they hold what judge and experts say of candidates."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.workshop import views

page = Pages("staff/workshop/", menu="alignment", GET="staff", POST="staff.scoring")

urlpatterns = [
    page("", views.workshop, "judge-workshop", "GET", label=_("Judge workshop")),
    page("default/", views.default, "judge-default", "POST"),
    page("experiments/new/", views.experiment_new, "judge-experiment-new", "GET POST",
         label=_("Compare two variants")),
    page("experiments/<int:pk>/", views.experiment, "judge-experiment", "GET", label="experiment"),
    page("experiments/<int:pk>/start/", views.start, "judge-experiment-start", "POST"),
]  # fmt: skip
