"""Pages of the question bank."""

from curation.base.access.page import page
from curation.qualifying.exams import bank_views as views

urlpatterns = [
    page("staff/exams/", views.staff_exams, "staff-exams", menu="staff-people", GET="staff"),
    page(
        "staff/exams/<key:domain>/",
        views.staff_exam,
        "staff-exam",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
    page(
        "staff/exams/<key:domain>/questions/",
        views.staff_questions,
        "staff-questions",
        menu="staff-people",
        GET="staff",
    ),
    page(
        "staff/exams/<key:domain>/questions/new/",
        views.staff_question_new,
        "staff-question-new",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
    page(
        "staff/exams/<key:domain>/import/",
        views.staff_questions_import,
        "staff-questions-import",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
    page(
        "staff/questions/<int:pk>/",
        views.staff_question,
        "staff-question",
        menu="staff-people",
        GET="staff",
        POST="staff.recruiting",
    ),
    page(
        "staff/questions/<int:pk>/state/",
        views.staff_question_state,
        "staff-question-state",
        menu="staff-people",
        POST="staff.recruiting",
    ),
]
