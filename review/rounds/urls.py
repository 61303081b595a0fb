"""Addresses of the rounds."""

from curation.base.access.page import page
from review.rounds import author_views, reviewer_views

urlpatterns = [
    page(
        "tasks/<int:pk>/rubric/comments/",
        author_views.answer,
        "rubric-comment",
        menu="tasks",
        POST="signed_in",
    ),
    page(
        "tasks/<int:pk>/rubric/suggestions/<int:suggestion>/take/",
        author_views.take,
        "rubric-suggestion-take",
        menu="tasks",
        POST="signed_in",
    ),
    page("reviews/<int:pk>/", reviewer_views.review, "review", menu="reviews", GET="signed_in"),
    page(
        "reviews/<int:pk>/lines/<int:line>/",
        reviewer_views.line,
        "review-line",
        menu="reviews",
        POST="signed_in",
    ),
    page(
        "reviews/<int:pk>/lines/<int:line>/undo/",
        reviewer_views.undo,
        "review-line-undo",
        menu="reviews",
        POST="signed_in",
    ),
    page(
        "reviews/<int:pk>/lines/<int:line>/comment/",
        reviewer_views.comment,
        "review-comment",
        menu="reviews",
        POST="signed_in",
    ),
    page(
        "reviews/<int:pk>/finish/",
        reviewer_views.finish,
        "review-finish",
        menu="reviews",
        POST="signed_in",
    ),
]
