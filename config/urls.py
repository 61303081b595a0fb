"""Every address of the product. A route without a row in a permission table is refused."""

from django.contrib import admin
from django.urls import include, path

import curation.urls
import judge.urls
import rubrics.urls
from config import health, schema, views
from config.api_index import Index

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler429 = "config.errors.too_many"  # asked for by django-allauth
handler500 = "config.errors.server_error"

# One place for all of them: Django tries addresses one after the other, and programs call often.
api = [
    *curation.urls.api_patterns,
    *rubrics.urls.api_patterns,
    *judge.urls.api_patterns,
]

urlpatterns = [
    path("api/v1/", include([*api, path("", Index.as_view(addresses=api), name="api-index")])),
    path("", views.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("gallery/", views.gallery, name="gallery"),
    path("api/schema/", schema.Schema.as_view(), name="api-schema"),
    path("api/docs/", schema.Docs.as_view(url_name="api-schema"), name="api-docs"),
    path("", include("curation.urls")),
    path("", include("rubrics.urls")),
    path("", include("review.urls")),
    path("", include("judge.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/second-factor/", include("allauth.mfa.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
