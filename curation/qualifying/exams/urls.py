"""Pages of exams."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.qualifying.exams import grading_views, views

own = Pages(menu="apply", GET="signed_in", POST="signed_in")
answers = Pages("seniors/answers/", menu="answers", GET="senior", POST="senior")

urlpatterns = [
    own("applications/<int:pk>/exam/", views.exam_start, "exam-start", "GET POST",
        up="application"),
    own("exams/<int:pk>/", views.exam, "exam", "GET", label="paper.title", up="application"),
    own("exams/<int:pk>/save/", views.exam_save, "exam-save", "POST"),
    own("exams/<int:pk>/hand-in/", views.exam_hand_in, "exam-hand-in", "POST"),
    answers("", grading_views.answers, "answers", "GET", label=_("Answers to mark"),
            short=_("Answers"), go="m", counts="answers"),
    answers("<int:pk>/", grading_views.answer_mark, "answer-mark", "GET POST"),
]  # fmt: skip
