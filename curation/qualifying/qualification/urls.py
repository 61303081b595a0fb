"""Pages of qualification."""

from curation.base.access.page import page
from curation.qualifying.qualification import applicant_views, staff_views, views

urlpatterns = [
    page("terms/", applicant_views.terms_page, "terms", GET="open", POST="signed_in"),
    page("apply/", applicant_views.apply, "apply", menu="apply", GET="signed_in", POST="signed_in"),
    page(
        "apply/draft/", applicant_views.apply_draft, "apply-draft", menu="apply", POST="signed_in"
    ),
    page(
        "applications/<int:pk>/",
        applicant_views.application,
        "application",
        menu="apply",
        GET="signed_in",
    ),
    page(
        "applications/<int:pk>/withdraw/",
        applicant_views.application_withdraw,
        "application-withdraw",
        menu="apply",
        POST="signed_in",
    ),
    page(
        "applications/<int:pk>/certifications/",
        applicant_views.certification_add,
        "certification-add",
        POST="signed_in",
    ),
    page(
        "certifications/<int:pk>/evidence/",
        applicant_views.certification_evidence,
        "certification-evidence",
        POST="signed_in",
    ),
    page(
        "certifications/<int:pk>/remove/",
        applicant_views.certification_remove,
        "certification-remove",
        POST="signed_in",
    ),
    page(
        "staff/applications/",
        staff_views.staff_applications,
        "staff-applications",
        menu="staff-people",
        GET="staff",
    ),
    page(
        "staff/applications/<int:pk>/",
        views.staff_application,
        "staff-application",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
]
