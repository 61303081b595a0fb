"""Pages of training."""

from curation.base.access.page import page
from curation.qualifying.training import views

urlpatterns = [
    page("training/", views.training, "training", menu="apply", GET="signed_in"),
    page(
        "training/changes/",
        views.training_changes,
        "training-changes",
        menu="apply",
        GET="signed_in",
    ),
    page(
        "training/<slug:unit>/",
        views.training_unit,
        "training-unit",
        menu="apply",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "applications/<int:pk>/training/",
        views.application_training,
        "application-training",
        menu="apply",
        GET="signed_in",
    ),
]
