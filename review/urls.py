"""Addresses of review."""

from django.urls import path

from review.views import reviewing, reviews, spot_checks, staff

urlpatterns = [
    path("tasks/<int:pk>/rubric/comments/", reviewing.answer, name="rubric-comment"),
    path("reviews/", reviews.reviews, name="reviews"),
    path("reviews/tasks/<int:pk>/take/", reviews.take, name="review-take"),
    path("reviews/<int:pk>/", reviewing.review, name="review"),
    path("reviews/<int:pk>/lines/<int:line>/", reviewing.line, name="review-line"),
    path("reviews/<int:pk>/lines/<int:line>/undo/", reviewing.undo, name="review-line-undo"),
    path("reviews/<int:pk>/lines/<int:line>/comment/", reviewing.comment, name="review-comment"),
    path("reviews/<int:pk>/finish/", reviewing.finish, name="review-finish"),
    path("reviews/<int:pk>/decline/", reviews.decline, name="review-decline"),
    path("spot-checks/", spot_checks.spot_checks, name="spot-checks"),
    path("spot-checks/<int:pk>/take/", spot_checks.take, name="spot-check-take"),
    path("spot-checks/<int:pk>/", spot_checks.spot_check, name="spot-check"),
    path("staff/tasks/<int:pk>/reopen/", staff.reopen, name="staff-task-reopen"),
    path("staff/tasks/<int:pk>/discard/", staff.discard, name="staff-task-discard"),
    path("staff/tasks/<int:pk>/reviewer/", staff.assign, name="staff-review-assign"),
]
