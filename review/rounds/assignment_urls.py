"""Addresses of a reviewer's list and steps."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from review.rounds import assignment_views as views

page = Pages("reviews/", menu="reviews", POST="signed_in")

urlpatterns = [
    page("", views.reviews, "reviews", GET="expert", label=_("Reviews"), go="r", counts="reviews"),
    page("tasks/<int:pk>/take/", views.take, "review-take", POST="expert"),
    page("<int:pk>/resume/", views.resume, "review-resume", "POST"),
    page("<int:pk>/decline/", views.decline, "review-decline", "POST", GET="signed_in",
         label="task.title", up="reviews"),
]  # fmt: skip
