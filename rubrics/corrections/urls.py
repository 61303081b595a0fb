"""Pages of corrections of a rubric."""

from curation.base.access.page import page
from rubrics.corrections import views

urlpatterns = [
    page(
        "tasks/<int:pk>/rubric/amended/",
        views.amended,
        "rubric-amended",
        menu="tasks",
        GET="signed_in",
        POST="signed_in",
    ),
]
