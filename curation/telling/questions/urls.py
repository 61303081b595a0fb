"""Pages of questions."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.access.page import Pages, page
from curation.telling.questions import views

questions = Pages("questions/", GET="signed_in", POST="signed_in")

urlpatterns = [
    questions("", views.questions, "questions", "GET", label=_("Questions and answers"),
              alone="in the menu of the account"),
    questions("about-a-rule/", views.question_about_rule, "question-about-rule", GET="expert",
              POST="expert", label=_("Ask about a rule")),
    questions("about-a-task/<int:pk>/", views.question_about_task, "question-about-task",
              "GET POST"),
    questions("shared/<slug:key>/", views.faq, "faq", "GET"),
    questions("<int:pk>/", views.asked_question, "asked-question", "GET"),
    questions("<int:pk>/follow-up/", views.question_follow_up, "question-follow-up", "POST"),
    questions("<int:pk>/settle/", views.question_settle, "question-settle", "POST"),
    questions("<int:pk>/task/", views.question_take, "question-take", "POST"),
    questions("<int:pk>/answer/", views.question_answer, "question-answer", "POST"),
    questions("<int:pk>/correct/", views.question_correct, "question-correct", "POST"),
    questions("<int:pk>/share/", views.question_share, "question-share", "POST"),
    questions("<int:pk>/unshare/", views.question_unshare, "question-unshare", "POST"),
    page("staff/questions/", views.staff_questions, "staff-asked-questions", menu="staff-pipeline",
         GET="staff", label=pgettext_lazy("asked", "Questions"), tab="staff-pipeline"),
]  # fmt: skip
