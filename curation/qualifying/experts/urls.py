"""Pages of experts."""

from curation.base.access.page import page
from curation.qualifying.experts import views

urlpatterns = [
    page("staff/people/", views.staff_people, "staff-people", menu="staff-people", GET="staff"),
    page(
        "staff/people/<int:pk>/",
        views.staff_person,
        "staff-person",
        menu="staff-people",
        GET="staff",
    ),
    page(
        "staff/people/<int:pk>/slot/",
        views.staff_grant_slot,
        "staff-grant-slot",
        POST="staff.recruiting",
    ),
    page(
        "staff/people/<int:pk>/senior/",
        views.staff_senior,
        "staff-senior",
        menu="staff-people",
        POST="staff.recruiting",
    ),
    page(
        "staff/people/<int:pk>/standing/",
        views.staff_standing,
        "staff-standing",
        menu="staff-people",
        POST="staff.recruiting",
    ),
]
