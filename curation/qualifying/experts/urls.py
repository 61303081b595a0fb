"""Pages of experts."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.qualifying.experts import views

page = Pages("staff/people/", menu="staff-people", GET="staff", POST="staff.recruiting")

urlpatterns = [
    page("", views.staff_people, "staff-people", "GET", label=_("People"), go="e",
         counts="applications"),
    page("<int:pk>/", views.staff_person, "staff-person", "GET", label="person.pseudonym"),
    page("<int:pk>/slot/", views.staff_grant_slot, "staff-grant-slot", "POST"),
    page("<int:pk>/senior/", views.staff_senior, "staff-senior", "POST"),
    page("<int:pk>/standing/", views.staff_standing, "staff-standing", "POST"),
]  # fmt: skip
