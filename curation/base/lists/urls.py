"""Pages of lists."""

from curation.base.access.page import Pages
from curation.base.lists import views

page = Pages("staff/lists/", POST="staff")

urlpatterns = [
    page("<slug:name>/views/", views.view_save, "list-view-save", "POST"),
    page("views/<int:pk>/remove/", views.view_remove, "list-view-remove", "POST"),
    page("<slug:name>/<slug:key>/", views.step_preview, "list-step", "POST"),
    page("<slug:name>/<slug:key>/do/", views.step_do, "list-step-do", "POST"),
]
