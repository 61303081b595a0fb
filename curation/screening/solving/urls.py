"""Pages of second opinions, and of second looks."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.screening.solving import look_views, views

own = Pages(menu="screening", GET="signed_in", POST="signed_in")
staff = Pages("staff/second-looks/", menu="staff-screening", GET="staff", POST="staff.editing")
check = Pages("screening/<int:pk>/check/", menu="screening", GET="signed_in", POST="signed_in")

urlpatterns = [
    check("", views.reference_check, "reference-check", "GET POST", label="page.title", of="page",
          up="screening"),
    check("save/", views.reference_check_save, "reference-check-save", "POST"),
    check("decide/", views.reference_check_decide, "reference-check-decide", "POST"),
    own("screening/<int:pk>/solve/", views.solve, "solve", "GET POST", label="page.title",
        of="page", up="screening"),
    own("screening/<int:pk>/solve/look/", views.solve_look, "solve-look", "POST"),
    own("screening/<int:pk>/solve/decide/", views.solve_decide, "solve-decide", "POST"),
    own("second-looks/<int:pk>/", look_views.second_look, "second-look", "GET POST",
        label="task.title", up="home"),
    staff("", look_views.staff_second_looks, "staff-second-looks", "GET", label=_("Second looks")),
    staff("<int:pk>/", look_views.staff_second_look, "staff-second-look", "GET POST", label="task"),
]  # fmt: skip
