"""Pages of qualification."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.qualifying.qualification import applicant_views, staff_views, views

own = Pages(menu="apply", GET="signed_in", POST="signed_in")
staff = Pages("staff/applications/", menu="staff-people", GET="staff", POST="staff.recruiting")

urlpatterns = [
    own("terms/", applicant_views.terms_page, "terms", "POST", menu="", GET="open",
        label=_("Terms of working here"), up="home"),
    own("apply/", applicant_views.apply, "apply", "GET POST", label=_("Apply for a domain"),
        short=_("Apply")),
    own("apply/draft/", applicant_views.apply_draft, "apply-draft", "POST"),
    own("applications/<int:pk>/", applicant_views.application, "application", "GET",
        label=_("Application: %(domain)s"), of="application", up="home"),
    own("applications/<int:pk>/withdraw/", applicant_views.application_withdraw,
        "application-withdraw", "POST"),
    own("applications/<int:pk>/certifications/", applicant_views.certification_add,
        "certification-add", "POST"),
    own("certifications/<int:pk>/evidence/", applicant_views.certification_evidence,
        "certification-evidence", "POST"),
    own("certifications/<int:pk>/remove/", applicant_views.certification_remove,
        "certification-remove", "POST"),
    staff("", staff_views.staff_applications, "staff-applications", "GET", label=_("Applications"),
          tab="staff-people"),
    staff("<int:pk>/", views.staff_application, "staff-application", "GET POST"),
]  # fmt: skip
