"""Pages of practice."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.scoring.practice import views

staff = Pages("staff/", menu="alignment", GET="staff", POST="staff.scoring")
practice = Pages("scoring/practice/", menu="scoring", GET="expert", POST="expert")

urlpatterns = [
    practice("<key:key>/start/", views.start, "practice-start", "POST"),
    practice("<int:pk>/", views.result, "practice-result", "GET", label="page.title",
             of="page.task"),
    staff("scorers/<key:key>/practice/", views.add, "practice-add", "GET POST",
          label=_("Add a practice sheet")),
    staff("practice/<int:pk>/", views.practice_sheet, "practice-sheet", "GET POST",
          up="scorers-domain"),
    staff("practice/<int:pk>/use/", views.use, "practice-use", "POST"),
]  # fmt: skip
