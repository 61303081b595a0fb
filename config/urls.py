"""Every address of the product. A route without a row in a permission table is refused."""

from django.contrib import admin
from django.urls import include, path
from django.utils.translation import gettext_lazy as _

import curation.urls
import judge.urls
import rubrics.urls
from config import health, schema, views
from config.api_index import Index
from curation.base.access.page import page

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler429 = "config.errors.too_many"  # django-allauth calls it
handler500 = "config.errors.server_error"

# All API addresses come first: Django tries patterns in order, and programs call often.
api = [
    *curation.urls.api_patterns,
    *rubrics.urls.api_patterns,
    *judge.urls.api_patterns,
]

urlpatterns = [
    path("api/v1/",
         include([*api, page("", Index.as_view(addresses=api), "api-index", GET="open")])),
    page("", views.home, "home", menu="home", GET="signed_in", label=_("Home"), go="h"),
    page("healthz", health.healthz, "healthz", GET="open", alone="for machines"),
    page("readyz", health.readyz, "readyz", GET="open", alone="for machines"),
    page("favicon.ico", views.favicon, "favicon", GET="open", alone="for machines"),
    page("gallery/", views.gallery, "gallery", GET="staff", alone="for who builds pages"),
    page("api/schema/", schema.Schema.as_view(), "api-schema", GET="signed_in",
         alone="for machines"),
    page("api/docs/", schema.Docs.as_view(url_name="api-schema"), "api-docs", GET="signed_in",
         label=_("API documentation"), alone="in the menu of the account"),
    path("", include("curation.urls")),
    path("", include("rubrics.urls")),
    path("", include("review.urls")),
    path("", include("judge.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/second-factor/", include("allauth.mfa.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]  # fmt: skip
