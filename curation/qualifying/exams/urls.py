"""Pages of exams."""

from curation.base.access.page import page
from curation.qualifying.exams import grading_views, views

urlpatterns = [
    page(
        "applications/<int:pk>/exam/",
        views.exam_start,
        "exam-start",
        menu="apply",
        GET="signed_in",
        POST="signed_in",
    ),
    page("exams/<int:pk>/", views.exam, "exam", menu="apply", GET="signed_in"),
    page(
        "exams/<int:pk>/save/",
        views.exam_save,
        "exam-save",
        menu="apply",
        POST="signed_in",
    ),
    page(
        "exams/<int:pk>/hand-in/",
        views.exam_hand_in,
        "exam-hand-in",
        menu="apply",
        POST="signed_in",
    ),
    page("seniors/answers/", grading_views.answers, "answers", menu="answers", GET="senior"),
    page(
        "seniors/answers/<int:pk>/",
        grading_views.answer_mark,
        "answer-mark",
        menu="answers",
        GET="senior",
        POST="senior",
    ),
]
