"""Pages of the settings."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.staff.programme_settings import views

page = Pages("staff/settings/", GET="staff", POST="staff.administration")

urlpatterns = [
    page("", views.settings_page, "settings", "GET", label=_("Settings"),
         alone="in the menu of the account"),
    page("history/", views.settings_history, "settings-history", "GET",
         label=_("Changes of settings")),
    page("test-mail/", views.settings_mail_test, "settings-mail-test", "POST"),
]  # fmt: skip
