"""Pages of trials."""

from curation.base.access.page import page
from curation.qualifying.trials import views

urlpatterns = [
    page("trials/<int:pk>/", views.trial, "trial", menu="apply", GET="signed_in"),
    page("trials/<int:pk>/save/", views.trial_save, "trial-save", menu="apply", POST="signed_in"),
    page(
        "trials/<int:pk>/preview/",
        views.trial_preview,
        "trial-preview",
        menu="apply",
        POST="signed_in",
    ),
    page(
        "trials/<int:pk>/hand-in/",
        views.trial_hand_in,
        "trial-hand-in",
        menu="apply",
        POST="signed_in",
    ),
    page("seniors/trials/", views.trials, "trials", menu="trials", GET="senior"),
    page(
        "seniors/trials/<int:pk>/",
        views.trial_decide,
        "trial-decide",
        menu="trials",
        GET="senior",
        POST="senior",
    ),
]
