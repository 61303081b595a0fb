"""Addresses of the rounds."""

from curation.base.access.page import Pages
from review.rounds import author_views, reviewer_views

reviews = Pages("reviews/<int:pk>/", menu="reviews", POST="signed_in")
rubric = Pages("tasks/<int:pk>/rubric/", menu="tasks", POST="signed_in")

urlpatterns = [
    rubric("comments/", author_views.answer, "rubric-comment", "POST"),
    rubric("suggestions/<int:suggestion>/take/", author_views.take, "rubric-suggestion-take",
           "POST"),
    reviews("", reviewer_views.review, "review", GET="signed_in", label="task.title"),
    reviews("lines/<int:line>/", reviewer_views.line, "review-line", "POST"),
    reviews("lines/<int:line>/undo/", reviewer_views.undo, "review-line-undo", "POST"),
    reviews("lines/<int:line>/comment/", reviewer_views.comment, "review-comment", "POST"),
    reviews("finish/", reviewer_views.finish, "review-finish", "POST"),
]  # fmt: skip
