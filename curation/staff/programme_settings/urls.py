"""Pages of the settings."""

from curation.base.access.page import Pages
from curation.staff.programme_settings import views

page = Pages("staff/settings/", GET="staff", POST="staff.administration")

urlpatterns = [
    page("", views.settings_page, "settings", "GET"),
    page("history/", views.settings_history, "settings-history", "GET"),
    page("test-mail/", views.settings_mail_test, "settings-mail-test", "POST"),
]
