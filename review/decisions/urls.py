"""Addresses of decisions."""

from curation.base.access.page import Pages
from review.decisions import views

page = Pages("decisions/<int:pk>/", menu="spot-checks", POST="senior")

urlpatterns = [
    page("take/", views.take, "decision-take", "POST"),
    page("", views.decision, "decision", GET="senior", label="task.title"),
    page("lines/<int:line>/", views.line, "decision-line", "POST"),
    page("close/", views.close, "decision-close", "POST"),
]
