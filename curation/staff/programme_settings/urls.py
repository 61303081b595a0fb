"""Pages of the settings."""

from curation.base.access.page import page
from curation.staff.programme_settings import views

urlpatterns = [
    page("staff/settings/", views.settings_page, "settings", GET="staff"),
    page("staff/settings/history/", views.settings_history, "settings-history", GET="staff"),
    page(
        "staff/settings/test-mail/",
        views.settings_mail_test,
        "settings-mail-test",
        POST="staff.administration",
    ),
]
