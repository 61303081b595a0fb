"""Pages of training."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.qualifying.training import views

page = Pages(menu="apply", GET="signed_in")

urlpatterns = [
    page("training/", views.training, "training", "GET", label=_("Training"), up="home"),
    page("training/changes/", views.training_changes, "training-changes", "GET",
         label=_("What changed in the training")),
    page("training/<slug:unit>/", views.training_unit, "training-unit", "GET", POST="signed_in",
         label="here.unit.title"),
    page("applications/<int:pk>/training/", views.application_training, "application-training",
         "GET", label=_("Training"), up="application"),
]  # fmt: skip
