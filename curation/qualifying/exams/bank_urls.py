"""Pages of the question bank."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.qualifying.exams import bank_views as views

page = Pages("staff/", menu="staff-people", GET="staff", POST="staff.recruiting")

urlpatterns = [
    page("exams/", views.staff_exams, "staff-exams", "GET", label=_("Exams"), tab="staff-people"),
    page("exams/<key:domain>/", views.staff_exam, "staff-exam", "GET POST"),
    page("exams/<key:domain>/questions/", views.staff_questions, "staff-questions", "GET",
         label=_("Question bank: %(domain)s"), of="exam"),
    page("exams/<key:domain>/questions/new/", views.staff_question_new, "staff-question-new",
         "GET POST"),
    page("exams/<key:domain>/import/", views.staff_questions_import, "staff-questions-import",
         "GET POST", label=_("Add a file of questions"), up="staff-questions"),
    page("questions/<int:pk>/", views.staff_question, "staff-question", "GET POST",
         up="staff-questions"),
    page("questions/<int:pk>/state/", views.staff_question_state, "staff-question-state", "POST"),
]  # fmt: skip
