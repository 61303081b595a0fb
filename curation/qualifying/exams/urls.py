"""Pages of exams."""

from curation.base.access.page import Pages
from curation.qualifying.exams import grading_views, views

own = Pages(menu="apply", GET="signed_in", POST="signed_in")
answers = Pages("seniors/answers/", menu="answers", GET="senior", POST="senior")

urlpatterns = [
    own("applications/<int:pk>/exam/", views.exam_start, "exam-start", "GET POST"),
    own("exams/<int:pk>/", views.exam, "exam", "GET"),
    own("exams/<int:pk>/save/", views.exam_save, "exam-save", "POST"),
    own("exams/<int:pk>/hand-in/", views.exam_hand_in, "exam-hand-in", "POST"),
    answers("", grading_views.answers, "answers", "GET"),
    answers("<int:pk>/", grading_views.answer_mark, "answer-mark", "GET POST"),
]
