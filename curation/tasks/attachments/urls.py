"""Pages of files. The holder of a file decides who may open it (`holders.py`)."""

from curation.base.access.page import page
from curation.tasks.attachments import views

urlpatterns = [
    page("attachments/<int:pk>/", views.attachment, "attachment", GET="signed_in"),
    page(
        "attachments/<slug:kind>/<int:pk>/",
        views.attachment_add,
        "attachment-add",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "attachments/<int:pk>/remove/",
        views.attachment_remove,
        "attachment-remove",
        POST="signed_in",
    ),
    page(
        "attachments/<int:pk>/restore/",
        views.attachment_restore,
        "attachment-restore",
        POST="signed_in",
    ),
]
