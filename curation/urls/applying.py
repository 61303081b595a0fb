"""Addresses of applications and terms."""

from django.urls import URLPattern, path

from curation.views import applications, applying, staff_applications

urlpatterns: list[URLPattern] = [
    path("terms/", applying.terms_page, name="terms"),
    path("apply/", applying.apply, name="apply"),
    path("apply/draft/", applying.apply_draft, name="apply-draft"),
    path("applications/<int:pk>/", applying.application, name="application"),
    path(
        "applications/<int:pk>/withdraw/", applying.application_withdraw,
        name="application-withdraw",
    ),
    path(
        "applications/<int:pk>/certifications/", applying.certification_add,
        name="certification-add",
    ),
    path(
        "certifications/<int:pk>/evidence/", applying.certification_evidence,
        name="certification-evidence",
    ),
    path(
        "certifications/<int:pk>/remove/", applying.certification_remove,
        name="certification-remove",
    ),
    path(
        "staff/applications/", staff_applications.staff_applications, name="staff-applications"
    ),
    path(
        "staff/applications/<int:pk>/", applications.staff_application,
        name="staff-application",
    ),
]  # fmt: skip
