"""Pages of guidelines."""

from curation.base.access.page import page
from curation.telling.guidelines import views

urlpatterns = [
    page("guidelines/", views.guidelines, "guidelines", GET="signed_in"),
    page("guidelines/<key:key>/", views.guideline, "guideline", GET="signed_in"),
    page(
        "guidelines/<key:key>/versions/<int:number>/",
        views.guideline_version,
        "guideline-version",
        GET="signed_in",
    ),
    page("guidelines/<key:key>/read/", views.guideline_read, "guideline-read", POST="signed_in"),
    page(
        "staff/guidelines/<key:key>/",
        views.staff_guideline,
        "staff-guideline",
        menu="staff-pipeline",
        GET="staff",
        POST="staff.editing",
    ),
]
