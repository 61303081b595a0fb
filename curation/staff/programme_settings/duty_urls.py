"""Pages of the members of staff and their duties."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.staff.programme_settings import duty_views as views

page = Pages("staff/members/", menu="staff-people", GET="staff", POST="staff.administration")

urlpatterns = [
    page("", views.staff_members, "staff-members", "GET POST", label=_("Staff"),
         tab="staff-people"),
    page("<int:pk>/", views.staff_member, "staff-member", "GET POST",
         label="person.name_for_staff"),
    page("<int:pk>/end/", views.staff_member_end, "staff-member-end", "POST"),
]  # fmt: skip
