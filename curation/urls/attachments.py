"""Addresses of files."""

from django.urls import URLPattern, path

from curation.views import attachments

urlpatterns: list[URLPattern] = [
    path("attachments/<int:pk>/", attachments.attachment, name="attachment"),
    path("attachments/<slug:kind>/<int:pk>/", attachments.attachment_add, name="attachment-add"),
    path("attachments/<int:pk>/remove/", attachments.attachment_remove, name="attachment-remove"),
    path(
        "attachments/<int:pk>/restore/", attachments.attachment_restore, name="attachment-restore"
    ),
]
