"""Pages of trials."""

from curation.base.access.page import Pages
from curation.qualifying.trials import views

trials = Pages("trials/<int:pk>/", menu="apply", POST="signed_in")
seniors = Pages("seniors/trials/", menu="trials", GET="senior", POST="senior")

urlpatterns = [
    trials("", views.trial, "trial", GET="signed_in"),
    trials("save/", views.trial_save, "trial-save", "POST"),
    trials("preview/", views.trial_preview, "trial-preview", "POST"),
    trials("hand-in/", views.trial_hand_in, "trial-hand-in", "POST"),
    seniors("", views.trials, "trials", "GET"),
    seniors("<int:pk>/", views.trial_decide, "trial-decide", "GET POST"),
]
