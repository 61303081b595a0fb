"""Pages of reference checks."""

from curation.base.access.page import page
from curation.screening.solving import check_views as views

urlpatterns = [
    page(
        "screening/<int:pk>/check/",
        views.reference_check,
        "reference-check",
        menu="screening",
        GET="signed_in",
        POST="signed_in",
    ),
    page(
        "screening/<int:pk>/check/save/",
        views.reference_check_save,
        "reference-check-save",
        menu="screening",
        POST="signed_in",
    ),
    page(
        "screening/<int:pk>/check/decide/",
        views.reference_check_decide,
        "reference-check-decide",
        menu="screening",
        POST="signed_in",
    ),
]
