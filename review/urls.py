"""Addresses of review."""

from django.urls import path

from review.views import answering, decisions, policies, reviewing, reviews, spot_checks, staff

urlpatterns = [
    path("tasks/<int:pk>/rubric/comments/", answering.answer, name="rubric-comment"),
    path(
        "tasks/<int:pk>/rubric/suggestions/<int:suggestion>/take/",
        answering.take,
        name="rubric-suggestion-take",
    ),
    path("reviews/", reviews.reviews, name="reviews"),
    path("reviews/tasks/<int:pk>/take/", reviews.take, name="review-take"),
    path("reviews/<int:pk>/", reviewing.review, name="review"),
    path("reviews/<int:pk>/lines/<int:line>/", reviewing.line, name="review-line"),
    path("reviews/<int:pk>/lines/<int:line>/undo/", reviewing.undo, name="review-line-undo"),
    path("reviews/<int:pk>/lines/<int:line>/comment/", reviewing.comment, name="review-comment"),
    path("reviews/<int:pk>/finish/", reviewing.finish, name="review-finish"),
    path("reviews/<int:pk>/resume/", reviews.resume, name="review-resume"),
    path("reviews/<int:pk>/decline/", reviews.decline, name="review-decline"),
    path("spot-checks/", spot_checks.spot_checks, name="spot-checks"),
    path("spot-checks/<int:pk>/take/", spot_checks.take, name="spot-check-take"),
    path("spot-checks/<int:pk>/", spot_checks.spot_check, name="spot-check"),
    path("decisions/<int:pk>/take/", decisions.take, name="decision-take"),
    path("decisions/<int:pk>/", decisions.decision, name="decision"),
    path("decisions/<int:pk>/lines/<int:line>/", decisions.line, name="decision-line"),
    path("decisions/<int:pk>/close/", decisions.close, name="decision-close"),
    path("staff/tasks/<int:pk>/one-more-round/", staff.one_more_round, name="staff-one-more-round"),
    path("staff/tasks/<int:pk>/reopen/", staff.reopen, name="staff-task-reopen"),
    path("staff/tasks/<int:pk>/discard/", staff.discard, name="staff-task-discard"),
    path(
        "staff/tasks/<int:pk>/spot-check/release/",
        staff.release_spot_check,
        name="staff-spot-check-release",
    ),
    path("staff/reviews/", policies.findings, name="staff-reviews"),
    path("staff/reviews/rules/", policies.policies, name="staff-review-policies"),
    path("staff/reviews/rules/<slug:key>/", policies.policy, name="staff-review-policy"),
    path("staff/tasks/<int:pk>/reviewer/", staff.assign, name="staff-review-assign"),
]
