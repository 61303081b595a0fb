"""Pages of files. The holder of a file decides who may open it (`holders.py`)."""

from curation.base.access.page import Pages
from curation.tasks.attachments import views

page = Pages("attachments/", GET="signed_in", POST="signed_in")

urlpatterns = [
    page("<int:pk>/", views.attachment, "attachment", "GET", alone="a file"),
    page("<slug:kind>/<int:pk>/", views.attachment_add, "attachment-add", "GET POST",
         alone="a part of a page"),
    page("<int:pk>/remove/", views.attachment_remove, "attachment-remove", "POST"),
    page("<int:pk>/restore/", views.attachment_restore, "attachment-restore", "POST"),
]  # fmt: skip
