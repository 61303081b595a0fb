"""Pages on which files are read in place. Who may download a file may read it here."""

from curation.base.access.page import Pages
from curation.tasks.file_views import views

page = Pages("attachments/<int:pk>/", GET="signed_in")

urlpatterns = [
    page("view/", views.attachment_view, "attachment-view", "GET", label="file.name",
         alone="linked from texts"),
    page("pictures/<int:number>/", views.attachment_picture, "attachment-picture", "GET",
         alone="a file"),
]  # fmt: skip
