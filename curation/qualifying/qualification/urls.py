"""Pages of qualification."""

from curation.base.access.page import Pages
from curation.qualifying.qualification import applicant_views, staff_views, views

own = Pages(menu="apply", GET="signed_in", POST="signed_in")
staff = Pages("staff/applications/", menu="staff-people", GET="staff", POST="staff.recruiting")

urlpatterns = [
    own("terms/", applicant_views.terms_page, "terms", "POST", menu="", GET="open"),
    own("apply/", applicant_views.apply, "apply", "GET POST"),
    own("apply/draft/", applicant_views.apply_draft, "apply-draft", "POST"),
    own("applications/<int:pk>/", applicant_views.application, "application", "GET"),
    own(
        "applications/<int:pk>/withdraw/",
        applicant_views.application_withdraw,
        "application-withdraw",
        "POST",
    ),
    own(
        "applications/<int:pk>/certifications/",
        applicant_views.certification_add,
        "certification-add",
        "POST",
    ),
    own(
        "certifications/<int:pk>/evidence/",
        applicant_views.certification_evidence,
        "certification-evidence",
        "POST",
    ),
    own(
        "certifications/<int:pk>/remove/",
        applicant_views.certification_remove,
        "certification-remove",
        "POST",
    ),
    staff("", staff_views.staff_applications, "staff-applications", "GET"),
    staff("<int:pk>/", views.staff_application, "staff-application", "GET POST"),
]
