"""Pages of lists."""

from curation.base.access.page import page
from curation.base.lists import views

urlpatterns = [
    page("staff/lists/<slug:name>/views/", views.view_save, "list-view-save", POST="staff"),
    page("staff/lists/views/<int:pk>/remove/", views.view_remove, "list-view-remove", POST="staff"),
    page("staff/lists/<slug:name>/<slug:key>/", views.step_preview, "list-step", POST="staff"),
    page("staff/lists/<slug:name>/<slug:key>/do/", views.step_do, "list-step-do", POST="staff"),
]
