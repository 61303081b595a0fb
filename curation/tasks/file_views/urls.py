"""Pages on which files are read in place. Who may download a file may read it here."""

from curation.base.access.page import page
from curation.tasks.file_views import views

urlpatterns = [
    page("attachments/<int:pk>/view/", views.attachment_view, "attachment-view", GET="signed_in"),
    page(
        "attachments/<int:pk>/pictures/<int:number>/",
        views.attachment_picture,
        "attachment-picture",
        GET="signed_in",
    ),
]
