"""Every address of the product."""

from django.urls import include, path

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"

urlpatterns = [
    path("account/", include("allauth.account.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]
