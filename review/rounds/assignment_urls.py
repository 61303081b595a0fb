"""Addresses of a reviewer's list and steps."""

from curation.base.access.page import page
from review.rounds import assignment_views as views

urlpatterns = [
    page("reviews/", views.reviews, "reviews", menu="reviews", GET="expert"),
    page("reviews/tasks/<int:pk>/take/", views.take, "review-take", menu="reviews", POST="expert"),
    page(
        "reviews/<int:pk>/resume/", views.resume, "review-resume", menu="reviews", POST="signed_in"
    ),
    page(
        "reviews/<int:pk>/decline/",
        views.decline,
        "review-decline",
        menu="reviews",
        GET="signed_in",
        POST="signed_in",
    ),
]
