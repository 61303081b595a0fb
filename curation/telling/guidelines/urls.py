"""Pages of guidelines."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages, page
from curation.telling.guidelines import views

guidelines = Pages("guidelines/", GET="signed_in")

urlpatterns = [
    guidelines("", views.guidelines, "guidelines", "GET", label=_("Guidelines"),
               alone="in the menu of the account", tab="staff-pipeline"),
    guidelines("<key:key>/", views.guideline, "guideline", "GET", label="guideline"),
    guidelines("<key:key>/versions/<int:number>/", views.guideline_version, "guideline-version",
               "GET"),
    guidelines("<key:key>/read/", views.guideline_read, "guideline-read", POST="signed_in"),
    page("staff/guidelines/<key:key>/", views.staff_guideline, "staff-guideline",
         menu="staff-pipeline", GET="staff", POST="staff.editing", up="guidelines"),
]  # fmt: skip
