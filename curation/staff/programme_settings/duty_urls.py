"""Pages of the members of staff and their duties."""

from curation.base.access.page import page
from curation.staff.programme_settings import duty_views as views

_MENU = "staff-people"
urlpatterns = [
    page(
        "staff/members/",
        views.staff_members,
        "staff-members",
        menu=_MENU,
        GET="staff",
        POST="staff.administration",
    ),
    page(
        "staff/members/<int:pk>/",
        views.staff_member,
        "staff-member",
        menu=_MENU,
        GET="staff",
        POST="staff.administration",
    ),
    page(
        "staff/members/<int:pk>/end/",
        views.staff_member_end,
        "staff-member-end",
        menu=_MENU,
        POST="staff.administration",
    ),
]
