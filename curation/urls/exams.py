"""Addresses of exams: sitting them, marking short texts, keeping the bank."""

from django.urls import URLPattern, path

from curation.views import bank, exam_marks, exams

urlpatterns: list[URLPattern] = [
    path("applications/<int:pk>/exam/", exams.exam_start, name="exam-start"),
    path("exams/<int:pk>/", exams.exam, name="exam"),
    path("exams/<int:pk>/save/", exams.exam_save, name="exam-save"),
    path("exams/<int:pk>/hand-in/", exams.exam_hand_in, name="exam-hand-in"),
    path("seniors/answers/", exam_marks.answers, name="answers"),
    path("seniors/answers/<int:pk>/", exam_marks.answer_mark, name="answer-mark"),
    path("staff/exams/", bank.staff_exams, name="staff-exams"),
    path("staff/exams/<slug:domain>/", bank.staff_exam, name="staff-exam"),
    path("staff/exams/<slug:domain>/questions/", bank.staff_questions, name="staff-questions"),
    path(
        "staff/exams/<slug:domain>/questions/new/",
        bank.staff_question_new,
        name="staff-question-new",
    ),
    path(
        "staff/exams/<slug:domain>/import/",
        bank.staff_questions_import,
        name="staff-questions-import",
    ),
    path("staff/exams/<slug:domain>/items/", bank.staff_items, name="staff-items"),
    path("staff/exams/<slug:domain>/items.csv", bank.staff_items_csv, name="staff-items-csv"),
    path("staff/questions/<int:pk>/", bank.staff_question, name="staff-question"),
    path("staff/questions/<int:pk>/state/", bank.staff_question_state, name="staff-question-state"),
]
