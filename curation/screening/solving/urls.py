"""Pages of solvers, and of second looks."""

from curation.base.access.page import page
from curation.screening.solving import look_views, views

urlpatterns = [
    page(
        "screening/<int:pk>/solve/",
        views.solve,
        "solve",
        menu="screening",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "screening/<int:pk>/solve/look/",
        views.solve_look,
        "solve-look",
        menu="screening",
        POST="signed_in",
    ),
    page(
        "screening/<int:pk>/solve/decide/",
        views.solve_decide,
        "solve-decide",
        menu="screening",
        POST="signed_in",
    ),
    page(
        "second-looks/<int:pk>/",
        look_views.second_look,
        "second-look",
        menu="screening",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "staff/second-looks/",
        look_views.staff_second_looks,
        "staff-second-looks",
        menu="staff-screening",
        GET="staff",
    ),
    page(
        "staff/second-looks/<int:pk>/",
        look_views.staff_second_look,
        "staff-second-look",
        menu="staff-screening",
        GET="staff",
        POST="staff.editing",
    ),
]
