"""Pages of accounts."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import page
from curation.joining.accounts import views

urlpatterns = [
    page("account/sessions/", views.sessions, "sessions", GET="signed_in", POST="signed_in",
         label=_("Where you are signed in"), up="preferences"),
    page("staff/people/<int:pk>/account/", views.staff_account, "staff-account",
         menu="staff-people", GET="staff", POST="staff.administration", label=_("Account")),
]  # fmt: skip
