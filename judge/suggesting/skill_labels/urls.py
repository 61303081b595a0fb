"""Pages of proposed labels."""

from curation.base.access.page import page
from judge.suggesting.skill_labels import views

urlpatterns = [
    page("labels/<int:pk>/ask/", views.labels_ask, "labels-ask", POST="senior_or_editing"),
]
