"""Pages of questions."""

from curation.base.access.page import page
from curation.telling.questions import views

urlpatterns = [
    page("questions/", views.questions, "questions", GET="signed_in"),
    page(
        "questions/about-a-rule/",
        views.question_about_rule,
        "question-about-rule",
        GET="expert",
        POST="expert",
    ),
    page(
        "questions/about-a-task/<int:pk>/",
        views.question_about_task,
        "question-about-task",
        GET="signed_in",
        POST="signed_in",
    ),
    page("questions/shared/<slug:key>/", views.faq, "faq", GET="signed_in"),
    page("questions/<int:pk>/", views.asked_question, "asked-question", GET="signed_in"),
    page(
        "questions/<int:pk>/follow-up/",
        views.question_follow_up,
        "question-follow-up",
        POST="signed_in",
    ),
    page("questions/<int:pk>/settle/", views.question_settle, "question-settle", POST="signed_in"),
    page("questions/<int:pk>/task/", views.question_take, "question-take", POST="signed_in"),
    page("questions/<int:pk>/answer/", views.question_answer, "question-answer", POST="signed_in"),
    page(
        "questions/<int:pk>/correct/",
        views.question_correct,
        "question-correct",
        POST="signed_in",
    ),
    page("questions/<int:pk>/share/", views.question_share, "question-share", POST="signed_in"),
    page(
        "questions/<int:pk>/unshare/",
        views.question_unshare,
        "question-unshare",
        POST="signed_in",
    ),
    page(
        "staff/questions/",
        views.staff_questions,
        "staff-asked-questions",
        menu="staff-pipeline",
        GET="staff",
    ),
]
