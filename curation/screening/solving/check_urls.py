"""Pages of reference checks."""

from curation.base.access.page import Pages
from curation.screening.solving import check_views as views

page = Pages("screening/<int:pk>/check/", menu="screening", GET="signed_in", POST="signed_in")

urlpatterns = [
    page("", views.reference_check, "reference-check", "GET POST"),
    page("save/", views.reference_check_save, "reference-check-save", "POST"),
    page("decide/", views.reference_check_decide, "reference-check-decide", "POST"),
]
