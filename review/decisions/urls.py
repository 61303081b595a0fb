"""Addresses of decisions."""

from curation.base.access.page import page
from review.decisions import views

urlpatterns = [
    page(
        "decisions/<int:pk>/take/",
        views.take,
        "decision-take",
        menu="spot-checks",
        POST="senior",
    ),
    page(
        "decisions/<int:pk>/",
        views.decision,
        "decision",
        menu="spot-checks",
        GET="senior",
    ),
    page(
        "decisions/<int:pk>/lines/<int:line>/",
        views.line,
        "decision-line",
        menu="spot-checks",
        POST="senior",
    ),
    page(
        "decisions/<int:pk>/close/",
        views.close,
        "decision-close",
        menu="spot-checks",
        POST="senior",
    ),
]
