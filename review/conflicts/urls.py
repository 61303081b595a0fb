"""Pages of conflicts of interest."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from review.conflicts import views

staff = Pages("staff/conflicts/", menu="staff-people", POST="staff.recruiting")
conflicts = Pages("conflicts/", GET="signed_in", POST="signed_in")

urlpatterns = [
    conflicts("", views.conflicts, "conflicts", "GET POST", label=_("Conflicts of interest"),
              alone="linked from Home"),
    conflicts("<int:pk>/withdraw/", views.withdraw, "conflict-withdraw", "POST"),
    conflicts("<int:pk>/answer/", views.answer, "conflict-answer", "POST"),
    staff("", views.staff_conflicts, "staff-conflicts", "POST", GET="staff",
          label=_("Conflicts of interest")),
    staff("declarations/<int:pk>/link/", views.link, "conflict-link", "POST"),
    staff("declarations/<int:pk>/dismiss/", views.dismiss, "conflict-dismiss", "POST"),
    staff("<int:pk>/uphold/", views.uphold, "conflict-uphold", "POST"),
    staff("<int:pk>/end/", views.end, "conflict-end", "POST"),
]  # fmt: skip
