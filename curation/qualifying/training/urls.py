"""Pages of training."""

from curation.base.access.page import Pages
from curation.qualifying.training import views

page = Pages(menu="apply", GET="signed_in")

urlpatterns = [
    page("training/", views.training, "training", "GET"),
    page("training/changes/", views.training_changes, "training-changes", "GET"),
    page("training/<slug:unit>/", views.training_unit, "training-unit", "GET", POST="signed_in"),
    page(
        "applications/<int:pk>/training/", views.application_training, "application-training", "GET"
    ),
]
