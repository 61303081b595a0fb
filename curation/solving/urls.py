"""Pages of solvers."""

from curation.access.page import page
from curation.solving import views

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
]
