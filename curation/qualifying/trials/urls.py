"""Pages of trials."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.qualifying.trials import views

trials = Pages("trials/<int:pk>/", menu="apply", POST="signed_in")
seniors = Pages("seniors/trials/", menu="trials", GET="senior", POST="senior")

urlpatterns = [
    trials("", views.trial, "trial", GET="signed_in", up="application"),
    trials("save/", views.trial_save, "trial-save", "POST"),
    trials("preview/", views.trial_preview, "trial-preview", "POST"),
    trials("hand-in/", views.trial_hand_in, "trial-hand-in", "POST"),
    seniors("", views.trials, "trials", "GET", label=_("Trial tasks"), short=_("Trials"), go="i",
            counts="trials"),
    seniors("<int:pk>/", views.trial_decide, "trial-decide", "GET POST", label="sheet.title"),
]  # fmt: skip
