"""Pages of conflicts of interest."""

from curation.base.access.page import page
from review.conflicts import views

urlpatterns = [
    page("conflicts/", views.conflicts, "conflicts", GET="signed_in", POST="signed_in"),
    page("conflicts/<int:pk>/withdraw/", views.withdraw, "conflict-withdraw", POST="signed_in"),
    page("conflicts/<int:pk>/answer/", views.answer, "conflict-answer", POST="signed_in"),
    page(
        "staff/conflicts/",
        views.staff_conflicts,
        "staff-conflicts",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
    page(
        "staff/conflicts/declarations/<int:pk>/link/",
        views.link,
        "conflict-link",
        menu="staff-people",
        POST="staff.recruiting",
    ),
    page(
        "staff/conflicts/declarations/<int:pk>/dismiss/",
        views.dismiss,
        "conflict-dismiss",
        menu="staff-people",
        POST="staff.recruiting",
    ),
    page(
        "staff/conflicts/<int:pk>/uphold/",
        views.uphold,
        "conflict-uphold",
        menu="staff-people",
        POST="staff.recruiting",
    ),
    page(
        "staff/conflicts/<int:pk>/end/",
        views.end,
        "conflict-end",
        menu="staff-people",
        POST="staff.recruiting",
    ),
]
