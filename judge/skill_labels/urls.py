"""Pages of proposed labels."""

from curation.access.page import page
from judge.skill_labels import views

urlpatterns = [
    page("labels/<int:pk>/ask/", views.labels_ask, "labels-ask", POST="senior_or_editing"),
]
